//! Reads replies of language models as values of an expected schema.
//!
//! Replies contain prose around JSON, fences, comments, single quotes, trailing commas, missing brackets,
//! numbers as strings and keys in another case. A [`Reader`] finds the JSON, repairs its syntax, coerces the
//! value to a schema and reports the repairs. It never guesses: an ambiguous reply is rejected with
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
//! # Ok::<(), cot_reader::SchemaError>(())
//! ```
//!
//! [`Reasoning::parse`] parses a reply with numbered steps of reasoning and a conclusion. A [`PartialOutput`]
//! is the output of a reply that is still being received; its fields are [`Incoming`].
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// A reply becomes a value: `find` gives the candidates in a text, `parse` reads each, leniently and perhaps in two
// ways, `coerce` brings a value towards a compiled schema, `choose` takes the one reading that is meant;
// `repair/catalogue.rs` has every repair with id, class, cost and sentence; `partial` is an output that is still
// coming in; `passage` looks values up in the texts of `found_in`: `normal` is a text as it is compared, with the
// positions in the original, `finder` what generated code calls; `steps` takes numbered reasoning apart.

mod choose;
mod coerce;
mod find;
#[doc(hidden)]
pub mod internal;
mod notation;
mod output;
mod parse;
mod partial;
mod passage;
mod places;
mod reader;
mod repair;
mod steps;
mod target;
#[cfg(test)]
mod tests;

pub use partial::{incoming::Incoming, output::PartialOutput};
pub use passage::passage::Passage;
pub use places::places::ReplyPlaces;
pub use reader::{ReadError, Reader, Reading, SchemaError};
pub use repair::{class::RepairClass, repairs::Repair};
pub use steps::{
    extract::extract_steps_and_conclusion,
    reasoning::{Reasoning, ReasoningPartial},
    step::Step,
    step_number::{ParseStepNumberError, StepNumber},
};
