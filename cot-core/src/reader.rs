//! Replies as models write them, read towards what is expected.
//!
//! Models answer with prose around JSON, fences, comments, single quotes, trailing commas, missing
//! brackets, numbers as strings, keys in another case. A [`Reader`] finds the JSON, mends it, brings it
//! into the form that a schema asks for, and says what it did. What would be a guess is refused, with
//! [issues](crate::Issues) that tell the model what to mend. [`guide::replies`](crate::guide::replies)
//! shows replies and how each is read.
//!
//! The engine reads every reply this way; a reader of one's own is for other uses.
//!
//! ```
//! use cot_core::reader::{Reader, RepairClass};
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
//! # Ok::<(), cot_core::reader::SchemaError>(())
//! ```

#[doc(inline)]
pub use cot_reader::{ReadError, Reader, Reading, Repair, RepairClass, SchemaError};
