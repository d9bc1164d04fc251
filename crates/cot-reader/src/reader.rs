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
//! # Ok::<(), cot_core::reader::InvalidSchema>(())
//! ```

mod choose;
mod coerce;
mod find;
mod parse;
mod plain;
mod repair;
mod target;
mod written;

use std::{error::Error, fmt};

use serde_json::Value;

pub use self::repair::{Repair, RepairClass};
pub(crate) use self::{
    choose::{Chosen, Rejected, choose},
    coerce::{AnySchema, Shape, same_name},
    find::{Prefix, json_alone, prefix},
    plain::{Plain, PlainJson},
    repair::{Repairs, Step, path_of},
    target::{Fit, Target},
    written::fit_with_digits,
};
use crate::{CotOutput, Issues};

/// Reads replies for one schema, or for none.
pub struct Reader {
    target: Box<dyn Target + Send + Sync>,
    may_be_cut: bool,
}

impl Reader {
    /// A reader for a JSON schema (draft 2020-12).
    ///
    /// # Errors
    ///
    /// If it is no valid schema.
    pub fn new(schema: &Value) -> Result<Self, InvalidSchema> {
        let target = AnySchema::new(schema.clone()).map_err(InvalidSchema)?;
        Ok(Self { target: Box::new(target), may_be_cut: false })
    }

    /// A reader for an output, with all that its type says in `#[cot(…)]`.
    #[must_use]
    pub fn of<T: CotOutput>() -> Self {
        Self { target: Box::new(T::output_schema()), may_be_cut: false }
    }

    /// A reader for any JSON: it mends the syntax alone.
    #[must_use]
    pub fn any() -> Self {
        Self { target: Box::new(coerce::Anything), may_be_cut: false }
    }

    /// Whether replies may have been cut off. What ends in the middle of a text, a number or a list is
    /// refused then, and so is a list without its bracket; braces alone that are missing at the end are
    /// put there all the same. Off at first; the engine reads with it on.
    #[must_use]
    pub fn may_be_cut(self, on: bool) -> Self {
        Self { may_be_cut: on, ..self }
    }

    /// Reads a reply. Time and memory are linear in its length, whatever it holds.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the reply, or what could mean two things.
    pub fn read(&self, reply: &str) -> Result<Reading, Unreadable> {
        match choose(reply, &*self.target, self.may_be_cut) {
            Ok(Chosen { value, repairs }) => Ok(Reading { value, repairs: repairs.into_told() }),
            Err(Rejected { issues, repairs, .. }) => {
                Err(Unreadable { issues, repairs: repairs.into_told() })
            }
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("may_be_cut", &self.may_be_cut).finish_non_exhaustive()
    }
}

/// What a reply was read as.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value, which fits the schema.
    pub value: Value,
    /// What had to be mended, in the order in which it was done.
    pub repairs: Vec<Repair>,
}

/// Why a reply could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable {
    /// What is wrong with it.
    pub issues: Issues,
    /// What had to be mended before that could be said.
    pub repairs: Vec<Repair>,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the reply can't be read: {}", self.issues)
    }
}

impl Error for Unreadable {}

/// Why a JSON value can't serve as a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidSchema(String);

impl fmt::Display for InvalidSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the schema is invalid: {}", self.0)
    }
}

impl Error for InvalidSchema {}

#[cfg(test)]
mod tests;
