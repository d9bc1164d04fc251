//! `cot read`: reads a reply as the library does.

use std::{error::Error, path::PathBuf};

use clap::Args;
use cot_core::{
    Issue, Issues,
    reader::{self, Reader, Reading, Repair},
};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use crate::{
    help,
    input::{self, Unreadable},
    output,
    text::without_mark,
    verdict::{Outcome, Verdict},
};

/// Reads the JSON in a reply, mends it, and brings it into the form that a schema asks for.
///
/// Prints one object: `value` (`null` when the reply is refused), `repairs` with `path`, `class` and
/// `what`, and `issues` with `path` and `message`.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &["cot read --schema schema.json reply.txt", "cot read - < reply.txt | jq .value"],
    "the reply is refused",
))]
pub(crate) struct Read {
    /// A file with the JSON schema of the value; without one, only the syntax is mended.
    #[arg(long, value_name = "SCHEMA")]
    schema: Option<PathBuf>,
    /// The reply may have been cut off: what ends in the middle of something is refused.
    #[arg(long)]
    may_be_cut: bool,
    /// A file with the reply; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Read {
    pub(crate) fn run(self) -> Outcome {
        input::once(self.schema.iter().chain([&self.file]).map(PathBuf::as_path))?;
        let reader = self.reader()?.may_be_cut(self.may_be_cut);
        let read = match input::text(&self.file) {
            Ok(text) => reader.read(without_mark(&text)),
            Err(error) => return refuse(error),
        };
        let verdict = if read.is_ok() { Verdict::Fine } else { Verdict::Findings };
        output::json(&Report::of(read))?;
        Ok(verdict)
    }

    fn reader(&self) -> Result<Reader, Box<dyn Error>> {
        let Some(path) = &self.schema else {
            return Ok(Reader::any());
        };
        let wrong = |source: Box<dyn Error>| WrongSchema { name: input::name_of(path), source };
        let text = input::text(path)?;
        let schema: Value =
            serde_json::from_str(without_mark(&text)).map_err(|error| wrong(error.into()))?;
        Ok(Reader::new(&schema).map_err(|error| wrong(error.into()))?)
    }
}

/// Bytes that are no text are an issue too, for those who read JSON.
fn refuse(error: Unreadable) -> Outcome {
    if matches!(error, Unreadable::NotText { .. }) {
        let issues = Issues::at("$", error.to_string());
        output::json(&Report::of(Err(reader::Unreadable { issues, repairs: Vec::new() })))?;
    }
    Err(error.into())
}

/// Why a file can't serve as the schema.
#[derive(Debug, Error)]
#[error("{name} is no JSON schema")]
struct WrongSchema {
    name: String,
    source: Box<dyn Error>,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    value: Option<Value>,
    repairs: Vec<Repair>,
    issues: Vec<Told>,
}

#[derive(Serialize)]
struct Told {
    path: String,
    message: String,
}

impl Report {
    fn of(read: Result<Reading, reader::Unreadable>) -> Self {
        match read {
            Ok(Reading { value, repairs }) => Self { value: Some(value), repairs, issues: vec![] },
            Err(reader::Unreadable { issues, repairs }) => {
                let told = |Issue { path, message, .. }| Told { path, message };
                Self { value: None, repairs, issues: issues.into_iter().map(told).collect() }
            }
        }
    }
}
