//! Reading of reports.

use std::{error::Error, path::Path};

use cot_eval::Report;
use thiserror::Error;

use crate::{input, text::strip_byte_order_mark};

/// The error for a file that is not a report.
#[derive(Debug, Error)]
#[error("{name} is not a report of an eval: write what `Eval::run` returns as JSON")]
struct InvalidReportError {
    name: String,
    source: serde_json::Error,
}

pub(super) fn read(path: &Path) -> Result<Report, Box<dyn Error>> {
    let text = input::text(path)?;
    let report = serde_json::from_str(strip_byte_order_mark(&text));
    Ok(report.map_err(|source| InvalidReportError { name: input::name_of(path), source })?)
}
