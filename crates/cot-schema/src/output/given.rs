//! Outputs before they have their type.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    issue::{Issue, Issues},
    path,
    text::cut_text,
};

/// An output that has not been read into its type.
#[derive(Debug)]
pub enum Given<'t> {
    /// As JSON text, which is valid as it stands.
    Text(&'t str),
    /// As a value: of a reply that was mended, of a person, of a function.
    Value(Value),
}

impl Given<'_> {
    /// Reads it into its type.
    ///
    /// # Errors
    ///
    /// Issues at the places where the value does not fit the type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Issues> {
        match self {
            Self::Text(json) => serde_json::from_str(json).or_else(|_| located(&parsed(json))),
            Self::Value(value) => deserialize(value),
        }
    }

    /// The value.
    #[must_use]
    pub fn into_value(self) -> Value {
        match self {
            Self::Text(json) => parsed(json),
            Self::Value(value) => value,
        }
    }
}

/// Reads a value that fits its schema into the type.
///
/// # Errors
///
/// Issues at the places where the value does not fit the type.
pub fn deserialize<T: DeserializeOwned>(value: &Value) -> Result<T, Issues> {
    // By way of its text, since a type is read from texts anyway. Where the path is needed is known only after
    // a failure, and following it costs time.
    serde_json::from_str(&value.to_string()).or_else(|_| located(value))
}

fn located<T: DeserializeOwned>(value: &Value) -> Result<T, Issues> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let message = cut_text(&error.inner().to_string(), MAX_MESSAGE_BYTES).to_owned();
        Issue::new(path::of_serde(error.path()), message).into()
    })
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// Longest text of `serde` that an issue repeats; it can hold the value.
const MAX_MESSAGE_BYTES: usize = 300;
