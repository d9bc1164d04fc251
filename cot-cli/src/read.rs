//! `cot read`: reads a reply as the library does.

use std::{error::Error, fmt, path::PathBuf};

use clap::Args;
use cot_core::{
    Issue, Issues,
    reader::{Reader, Reading, Repair, Unreadable},
};
use serde::Serialize;
use serde_json::Value;

use crate::{Verdict, input, output};

/// Reads the JSON in a reply, mends it, and brings it into the form that a schema asks for.
///
/// Prints one object: `value` (`null` when the reply is refused), `repairs` with `path`, `class` and
/// `what`, and `issues` with `path` and `message`.
#[derive(Debug, Args)]
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
    pub(crate) fn run(self) -> Result<Verdict, Box<dyn Error>> {
        let reader = self.reader()?.may_be_cut(self.may_be_cut);
        let bytes = input::bytes(&self.file)?;
        let read = match str::from_utf8(&bytes) {
            Ok(text) => reader.read(text),
            Err(error) => Err(not_text(error.valid_up_to())),
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
        let bytes = input::bytes(path)?;
        let schema: Value = serde_json::from_slice(&bytes).map_err(|error| wrong(error.into()))?;
        Ok(Reader::new(&schema).map_err(|error| wrong(error.into()))?)
    }
}

fn not_text(at: usize) -> Unreadable {
    let issue = format!("the reply is no UTF-8: the byte at {at} is wrong");
    Unreadable { issues: Issues::at("$", issue), repairs: Vec::new() }
}

/// Why a file can't serve as the schema.
#[derive(Debug)]
struct WrongSchema {
    name: String,
    source: Box<dyn Error>,
}

impl fmt::Display for WrongSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no JSON schema", self.name)
    }
}

impl Error for WrongSchema {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
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
    fn of(read: Result<Reading, Unreadable>) -> Self {
        match read {
            Ok(Reading { value, repairs }) => Self { value: Some(value), repairs, issues: vec![] },
            Err(Unreadable { issues, repairs }) => {
                let told = |Issue { path, message, .. }| Told { path, message };
                Self { value: None, repairs, issues: issues.into_iter().map(told).collect() }
            }
        }
    }
}
