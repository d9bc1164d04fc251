//! The reader of replies.

use std::{error::Error, fmt};

use cot_schema::{CotOutput, Issues};
use serde_json::Value;

use crate::{
    choose::{Chosen, Rejected, choose},
    coerce::target::{AnySchema, Anything},
    repair::repairs::Repair,
    target::Target,
};

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
        Self { target: Box::new(Anything), may_be_cut: false }
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
            Ok(Chosen { value, repairs }) => Ok(Reading { value, repairs: repairs.into_repairs() }),
            Err(Rejected { issues, repairs, .. }) => {
                Err(Unreadable { issues, repairs: repairs.into_repairs() })
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
