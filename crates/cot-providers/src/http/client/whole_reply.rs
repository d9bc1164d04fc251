//! The body of a whole reply.

use serde::Deserialize;
use serde_json::Value;

use crate::http::{AttemptError, Secrets};

/// The body of a whole reply, which reports no error.
pub(crate) struct WholeReply<'a> {
    text: &'a str,
    pub(crate) said: Value,
    expected: &'static str,
    secrets: &'a Secrets,
}

impl<'a> WholeReply<'a> {
    /// Creates a reply of the text of a body. `expected` is what the protocol calls a reply.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not JSON.
    pub(super) fn new(
        text: &'a str,
        expected: &'static str,
        secrets: &'a Secrets,
    ) -> Result<Self, AttemptError> {
        let mut reply = Self { text, said: Value::Null, expected, secrets };
        reply.said = reply.parse()?;
        Ok(reply)
    }

    /// Parses the body.
    ///
    /// # Errors
    ///
    /// Returns an error that says what was expected if the body has another form.
    pub(crate) fn parse<T: Deserialize<'a>>(&self) -> Result<T, AttemptError> {
        serde_json::from_str(self.text).map_err(|error| {
            // Contains only the place: serde's own message may quote the response.
            let place = format!("line {}, column {}", error.line(), error.column());
            let what = format!("other JSON or none ({place})");
            AttemptError::not_json(self.text, self.unexpected(&what))
        })
    }

    /// Returns a message that says what was expected, what the body is, and an excerpt of it.
    pub(crate) fn unexpected(&self, what: &str) -> String {
        let came = if self.text.trim().is_empty() { "nothing" } else { self.text };
        format!("expected {}, got {what}: {}", self.expected, self.secrets.quote(came))
    }
}
