//! Replies as language models write them, read towards what is expected.
//!
//! Models answer with prose around JSON, fences, comments, single quotes, trailing commas, missing
//! brackets, numbers as strings, keys in another case. A [`Reader`] finds the JSON, repairs it, brings it
//! into the form that a schema asks for, and says what it did. What would be a guess is refused, with
//! [issues](cot_schema::Issues) that tell the model what to correct.
//!
//! ```
//! use cot_reader::{Reader, RepairClass};
//! use serde_json::json;
//!
//! let reader = Reader::new(&json!({
//!     "type": "object",
//!     "properties": { "name": { "type": "string" }, "size": { "type": "integer" } },
//!     "required": ["name", "size"],
//! }))?;
//! let reading = reader.read("Here it is:\n```json\n{'Name': 'a', \"size\": \"1,200\",}\n```").unwrap();
//! assert_eq!(reading.value, json!({ "name": "a", "size": 1200 }));
//! assert!(reading.repairs.iter().any(|repair| repair.class == RepairClass::Coercion));
//! # Ok::<(), cot_reader::InvalidSchema>(())
//! ```
//!
//! A reply that thinks aloud, in numbered steps with a conclusion, is read by [`Reasoning::of`]. An output that
//! is still coming in is a [`PartialOutput`], whose parts are [`Incoming`].
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod choose;
mod coerce;
mod find;
#[doc(hidden)]
pub mod internal;
mod output;
mod parse;
mod partial;
mod reader;
mod repair;
mod steps;
mod target;
#[cfg(test)]
mod tests;
mod written;

pub use partial::{incoming::Incoming, output::PartialOutput};
pub use reader::{InvalidSchema, Reader, Reading, Unreadable};
pub use repair::{class::RepairClass, repairs::Repair};
pub use steps::{
    extract::extract_steps_and_conclusion,
    reasoning::{Reasoning, ReasoningPartial},
    step::Step,
    step_number::{BadStepNumber, StepNumber},
};
