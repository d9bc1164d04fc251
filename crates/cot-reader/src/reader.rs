//! The reader of replies.

use std::{error::Error, fmt};

use cot_schema::{CotOutput, Issues};
use serde_json::Value;

use crate::{
    choose::{Rejection, ValidReading, read_reply},
    coerce::target::{AnySchema, Anything},
    repair::repairs::Repair,
    target::Target,
};

/// Reads replies, for a schema or for any JSON.
pub struct Reader {
    target: Box<dyn Target + Send + Sync>,
    may_be_truncated: bool,
}

impl Reader {
    /// Creates a reader for a JSON schema (draft 2020-12).
    ///
    /// # Errors
    ///
    /// Returns an error if the schema is invalid.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        let target = AnySchema::new(schema.clone()).map_err(SchemaError)?;
        Ok(Self { target: Box::new(target), may_be_truncated: false })
    }

    /// Creates a reader for an output type, which respects its `#[cot(…)]` attributes.
    #[must_use]
    pub fn for_type<T: CotOutput>() -> Self {
        Self { target: Box::new(T::output_schema()), may_be_truncated: false }
    }

    /// Creates a reader for any JSON, which repairs syntax only.
    #[must_use]
    pub fn any() -> Self {
        Self { target: Box::new(Anything), may_be_truncated: false }
    }

    /// Sets whether replies may have been truncated.
    ///
    /// If so, a reply that ends within a string, number or list is rejected, while missing braces at the end
    /// are still added. The default is false; the engine sets it to true.
    #[must_use]
    pub fn may_be_truncated(self, on: bool) -> Self {
        Self { may_be_truncated: on, ..self }
    }

    /// Reads a reply, in time and memory linear in its length.
    ///
    /// # Errors
    ///
    /// Returns all errors in the reply, and ambiguities.
    pub fn read(&self, reply: &str) -> Result<Reading, ReadError> {
        match read_reply(reply, &*self.target, self.may_be_truncated) {
            Ok(ValidReading { value, repairs }) => {
                Ok(Reading { value, repairs: repairs.into_repairs() })
            }
            Err(Rejection { issues, repairs, .. }) => {
                Err(ReadError { issues, repairs: repairs.into_repairs() })
            }
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("may_be_truncated", &self.may_be_truncated)
            .finish_non_exhaustive()
    }
}

/// The result of reading a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value, which is valid for the schema.
    pub value: Value,
    /// The repairs, in the order in which they were made.
    pub repairs: Vec<Repair>,
}

/// The error for a reply that can't be read.
#[derive(Clone, PartialEq)]
pub struct ReadError {
    /// The errors in the reply.
    pub issues: Issues,
    /// The repairs that were made before the errors were found.
    pub repairs: Vec<Repair>,
}

cot_schema::debug_as_sentence!(ReadError, SchemaError);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the reply can't be read: {}", self.issues)
    }
}

impl Error for ReadError {}

/// The error for an invalid schema.
#[derive(Clone, PartialEq, Eq)]
pub struct SchemaError(String);

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the schema is invalid: {}", self.0)
    }
}

impl Error for SchemaError {}
