//! `cot task json`: converts traces to JSON.

use std::path::Path;

use clap::Args;

use super::trace;
use crate::{
    help,
    input::Files,
    output,
    verdict::{Outcome, Verdict},
};

/// Prints traces as JSON: a line for each file, an array with an object for each structure.
///
/// `cot task from-json` converts it back. Text between structures is not part of a trace: it is omitted
/// with a warning.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot task json trace.task",
        "cot task json trace.task | jq .[0].content",
    ],
    "a file has syntax errors",
))]
pub(crate) struct Json {
    #[command(flatten)]
    files: Files,
}

impl Json {
    pub(crate) fn run(self) -> Outcome {
        self.files.each(show)
    }
}

fn show(path: &Path) -> Outcome {
    let Some(read) = trace::read(path)? else {
        return Ok(Verdict::Findings);
    };
    trace::show(path, &read.text, &read.stray);
    output::json(&read.trace.to_json())?;
    Ok(Verdict::Fine)
}
