//! The bounds of what passes between models and tools.

use std::fmt::{self, Write};

use cot_model::FunctionError;
use serde_json::Value;

/// Maximum length of the arguments of a call, and of its result, as JSON.
pub(crate) const MAX_TOOL_BYTES: usize = 64 << 10;

/// Rejects a result that is too long for a model.
pub(crate) fn bound_result(result: Value) -> Result<Value, FunctionError> {
    let mut length = Length(0);
    // Counting does not fail.
    let _ = write!(length, "{result}");
    match length.0 {
        0..=MAX_TOOL_BYTES => Ok(result),
        bytes => Err(FunctionError::done(TooLong { what: "the result has", bytes })),
    }
}

/// The message for arguments or a result that is too long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TooLong {
    pub(crate) what: &'static str,
    pub(crate) bytes: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, bytes } = self;
        write!(f, "{what} {bytes} bytes as JSON: at most {MAX_TOOL_BYTES} are allowed")
    }
}

/// Counts what is written.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}
