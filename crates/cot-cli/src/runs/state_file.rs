//! The file with a state.

use std::{error::Error, path::Path};

use serde_json::Value;
use thiserror::Error;

use crate::{input, message, text::strip_byte_order_mark, verdict::Verdict};

/// The error for a state file that is not JSON.
#[derive(Debug, Error)]
#[error("the state in {name} is not JSON")]
struct InvalidStateError {
    name: String,
    source: serde_json::Error,
}

/// Reads a state, as JSON. Reports a text that is not JSON as a finding.
pub(super) fn read(path: &Path) -> Result<Result<Value, Verdict>, Box<dyn Error>> {
    let text = input::text(path)?;
    Ok(serde_json::from_str(strip_byte_order_mark(&text)).map_err(|source| {
        message::error(&InvalidStateError { name: input::name_of(path), source });
        Verdict::Findings
    }))
}
