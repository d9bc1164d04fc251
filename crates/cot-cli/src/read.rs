//! `cot read`: reads a reply like the library.

use std::{error::Error, path::PathBuf};

use clap::Args;
use cot_reader::{ReadError, Reader, Reading, Repair};
use cot_schema::{Issue, Issues};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use crate::{
    help,
    input::{self, InputError},
    output,
    text::strip_byte_order_mark,
    verdict::{Outcome, Verdict},
};

/// Reads the JSON in a reply, repairs it, and converts it to a schema.
///
/// Prints one object: `value` (`null` if the reply is rejected), `repairs` with `path`, `class` and
/// `what`, and `issues` with `path` and `message`.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &["cot read --schema schema.json reply.txt", "cot read - < reply.txt | jq .value"],
    "the reply is rejected",
))]
pub(crate) struct Read {
    /// A file with the JSON schema of the value; without it, only the syntax is repaired.
    #[arg(long, value_name = "SCHEMA")]
    schema: Option<PathBuf>,
    /// Reject a reply that ends within a value, since it may have been cut off.
    #[arg(long)]
    may_be_cut: bool,
    /// A file with the reply; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Read {
    pub(crate) fn run(self) -> Outcome {
        input::check_stdin_once(self.schema.iter().chain([&self.file]).map(PathBuf::as_path))?;
        let reader = self.reader()?.may_be_truncated(self.may_be_cut);
        let read = match input::text(&self.file) {
            Ok(text) => reader.read(strip_byte_order_mark(&text)),
            Err(error) => return reject(error),
        };
        let verdict = if read.is_ok() { Verdict::Fine } else { Verdict::Findings };
        output::json(&Report::from_result(read))?;
        Ok(verdict)
    }

    fn reader(&self) -> Result<Reader, Box<dyn Error>> {
        let Some(path) = &self.schema else {
            return Ok(Reader::any());
        };
        let wrong =
            |source: Box<dyn Error>| InvalidSchemaError { name: input::name_of(path), source };
        let text = input::text(path)?;
        let schema: Value = serde_json::from_str(strip_byte_order_mark(&text))
            .map_err(|error| wrong(error.into()))?;
        Ok(Reader::new(&schema).map_err(|error| wrong(error.into()))?)
    }
}

/// Reports an input that is not UTF-8 as an issue too, for consumers of the JSON.
fn reject(error: InputError) -> Outcome {
    if matches!(error, InputError::NotText { .. }) {
        let issues = Issues::at("$", error.to_string());
        output::json(&Report::from_result(Err(ReadError { issues, repairs: Vec::new() })))?;
    }
    Err(error.into())
}

/// The error for a file that is not a JSON schema.
#[derive(Debug, Error)]
#[error("{name} is not a JSON schema")]
struct InvalidSchemaError {
    name: String,
    source: Box<dyn Error>,
}

/// The printed result.
#[derive(Serialize)]
struct Report {
    value: Option<Value>,
    repairs: Vec<Repair>,
    issues: Vec<ReportedIssue>,
}

#[derive(Serialize)]
struct ReportedIssue {
    path: String,
    message: String,
}

impl Report {
    fn from_result(read: Result<Reading, ReadError>) -> Self {
        match read {
            Ok(Reading { value, repairs }) => Self { value: Some(value), repairs, issues: vec![] },
            Err(ReadError { issues, repairs }) => {
                let reported = |Issue { path, message, .. }| ReportedIssue { path, message };
                Self { value: None, repairs, issues: issues.into_iter().map(reported).collect() }
            }
        }
    }
}
