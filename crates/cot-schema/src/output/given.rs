//! Outputs in JSON form.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    issue::{Issue, Issues},
    path,
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
            Self::Text(json) => {
                serde_json::from_str(json).or_else(|_| deserialize_located(&parse_or_null(json)))
            }
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
    // Through text, since the type is deserialized from text anyway. The path is tracked in a second
    // attempt, since tracking takes time and is needed only after a failure.
    serde_json::from_str(&value.to_string()).or_else(|_| deserialize_located(value))
}

/// Deserializes a value and reports the path of an error.
fn deserialize_located<T: DeserializeOwned>(value: &Value) -> Result<T, Issues> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let message = truncate(&error.inner().to_string(), MAX_MESSAGE_BYTES).to_owned();
        Issue::new(path::from_serde_path(error.path()), message).into()
    })
}

fn parse_or_null(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// Maximum length of a `serde` error in an issue. It can contain the value.
const MAX_MESSAGE_BYTES: usize = 300;
