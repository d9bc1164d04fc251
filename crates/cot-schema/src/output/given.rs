//! Outputs in JSON form.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    issue::{Issue, Issues},
    located::{LocatedError, read_located},
    text::truncate,
};

/// An output in JSON form, not yet deserialized.
#[derive(Debug)]
pub enum UntypedOutput<'t> {
    /// Valid JSON text.
    Text(&'t str),
    /// A value: a repaired reply, the answer of a person or the result of a function.
    Value(Value),
}

impl UntypedOutput<'_> {
    /// Deserializes the output.
    ///
    /// # Errors
    ///
    /// Returns an issue at the path where deserialization failed.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, Issues> {
        match self {
            Self::Text(json) => read_located(json).map_err(issue),
            Self::Value(value) => deserialize(value),
        }
    }

    /// Converts the output to a JSON value.
    #[must_use]
    pub fn into_value(self) -> Value {
        match self {
            Self::Text(json) => parse_or_null(json),
            Self::Value(value) => value,
        }
    }
}

/// Deserializes a value.
///
/// # Errors
///
/// Returns an issue at the path where deserialization failed.
pub fn deserialize<T: DeserializeOwned>(value: &Value) -> Result<T, Issues> {
    // Through text, since the type is deserialized from text anyway.
    read_located(&value.to_string()).map_err(issue)
}

fn issue(error: LocatedError) -> Issues {
    let message = error.message();
    Issue::new(error.path, truncate(&message, MAX_MESSAGE_BYTES)).into()
}

fn parse_or_null(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// Maximum length of a `serde` error in an issue. It can contain the value.
const MAX_MESSAGE_BYTES: usize = 300;
