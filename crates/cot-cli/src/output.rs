//! Output of results.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anstream::AutoStream;
use serde::Serialize;
use thiserror::Error;

use crate::{input, text::escape_json};

/// The error for a result that can't be written.
#[derive(Debug, Error)]
#[error("can't write {name}")]
pub(crate) struct OutputError {
    name: String,
    source: io::Error,
}

/// Prints a text. A closed pipe, as with `head`, is not an error.
pub(crate) fn text(text: &str) -> Result<(), OutputError> {
    try_print(text).map(drop)
}

/// Prints a text. Returns false if the pipe is closed.
pub(crate) fn try_print(text: &str) -> Result<bool, OutputError> {
    write(io::stdout().lock(), text)
}

/// Prints a text for people, coloured under the same conditions as messages.
pub(crate) fn styled(text: &str) -> Result<(), OutputError> {
    write(AutoStream::auto(io::stdout().lock()), text).map(drop)
}

fn write(mut out: impl Write, text: &str) -> Result<bool, OutputError> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(source) if source.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(source) => Err(OutputError { name: "standard output".to_owned(), source }),
    }
}

/// Prints a line.
pub(crate) fn line(line: impl Into<String>) -> Result<(), OutputError> {
    let mut line = line.into();
    line.push('\n');
    text(&line)
}

/// Prints JSON on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<(), OutputError> {
    line(to_json(value)?)
}

/// Serializes JSON on one line.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, OutputError> {
    let json = serde_json::to_string(value).map(|json| escape_json(&json));
    json.map_err(|error| OutputError { name: "JSON".to_owned(), source: error.into() })
}

/// Writes a file.
pub(crate) fn file(path: &Path, content: &str) -> Result<(), OutputError> {
    fs::write(path, content).map_err(|source| OutputError { name: input::name_of(path), source })
}
