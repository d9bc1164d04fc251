//! `cot task from-json`: converts JSON to traces.

use std::{mem, path::Path};

use annotate_snippets::Level;
use clap::Args;
use cot_schema::internal::depth;
use cot_task_format::{JsonError, MAX_DEPTH, Position, Trace};
use serde::Deserialize;
use serde_json::{Deserializer, Value};

use crate::{
    help,
    input::{self, Files, InputError},
    message::{self, Source},
    output,
    text::strip_byte_order_mark,
    verdict::{Outcome, Verdict},
};

/// Writes traces from the JSON of `cot task json`, with an empty line between files.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot task from-json trace.json",
        "cot task json trace.task | cot task from-json -",
    ],
    "a file is not JSON, or not the JSON of a trace",
))]
pub(crate) struct FromJson {
    #[command(flatten)]
    files: Files,
}

impl FromJson {
    pub(crate) fn run(self) -> Outcome {
        let mut is_first = true;
        self.files.each(|path| {
            let Some(trace) = read(path)? else {
                return Ok(Verdict::Findings);
            };
            let between = if mem::take(&mut is_first) { "" } else { "\n" };
            output::text(&format!("{between}{trace}"))?;
            Ok(Verdict::Fine)
        })
    }
}

/// Reads the trace of a JSON file. Prints errors in the file and returns `None` for them.
fn read(path: &Path) -> Result<Option<Trace>, InputError> {
    let text = input::text(path)?;
    let text = strip_byte_order_mark(&text);
    let json: Value = match parse(text) {
        Ok(json) => json,
        Err(error) => {
            show(path, text, &error);
            return Ok(None);
        }
    };
    let trace = Trace::from_json(&json);
    Ok(trace.inspect_err(|error| report_json_error(path, error)).ok())
}

/// Parses JSON. The JSON of a trace can be nested deeper than `serde_json`'s own limit, so the limit is
/// set accordingly.
fn parse(text: &str) -> serde_json::Result<Value> {
    // The array and the structure, and at each level two objects and two arrays.
    const MAX_VIEW_DEPTH: usize = 2 + 4 * MAX_DEPTH;
    let mut json = Deserializer::from_str(text);
    if depth(text) <= MAX_VIEW_DEPTH {
        json.disable_recursion_limit();
    }
    let value = Value::deserialize(&mut json)?;
    json.end()?;
    Ok(value)
}

fn report_json_error(path: &Path, error: &JsonError) {
    let name = input::name_of(path);
    message::print(Level::ERROR, format!("{name} is not the JSON of a trace: {error}"));
}

/// Prints a JSON syntax error with its line.
fn show(path: &Path, text: &str, error: &serde_json::Error) {
    let text_of_error = error.to_string();
    let what = text_of_error.rsplit_once(" at line ").map_or(&*text_of_error, |(what, _)| what);
    let origin = input::origin_of(path);
    let at = position(text, error.line(), error.column());
    Source { origin: &origin, text }.show(Level::ERROR, None, what, at);
}

/// Converts a line number and a byte column to a position.
fn position(text: &str, line: usize, bytes: usize) -> Position {
    let start = match line.checked_sub(2) {
        Some(before) => text.match_indices('\n').nth(before).map_or(text.len(), |(end, _)| end + 1),
        None => 0,
    };
    let offset = text.floor_char_boundary(start + bytes.saturating_sub(1));
    let column = text[start..offset].chars().count() + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Position { offset, line: number(line), column: number(column) }
}
