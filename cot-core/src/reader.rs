//! Reads replies of models: finds the JSON, repairs it, and coerces it to a schema.
//!
//! Models reply with prose around JSON, fences, comments, single quotes, trailing commas, missing
//! brackets, numbers as strings, keys in another case. A [`Reader`] finds the JSON, repairs its syntax,
//! coerces it to a schema, and reports each repair. It never guesses: an ambiguous reply is rejected with
//! [issues](crate::Issues) for the model. [`guide::replies`](crate::guide::replies) shows replies and their
//! results.
//!
//! The engine reads every reply in this way. Use a reader directly for replies outside of processes.
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
