//! Where results go.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use anstream::AutoStream;
use serde::Serialize;
use thiserror::Error;

use crate::{input, text::escaped};

/// Why a result could not be written.
#[derive(Debug, Error)]
#[error("can't write {name}")]
pub(crate) struct Unwritable {
    name: String,
    source: io::Error,
}

/// Prints a text. Where nobody reads on, as before `head`, that is no error.
pub(crate) fn text(text: &str) -> Result<(), Unwritable> {
    is_read(text).map(drop)
}

/// Prints a text, and says whether somebody reads on.
pub(crate) fn is_read(text: &str) -> Result<bool, Unwritable> {
    write(io::stdout().lock(), text)
}

/// Prints a text for people, who see its colours as they see those of messages.
pub(crate) fn styled(text: &str) -> Result<(), Unwritable> {
    write(AutoStream::auto(io::stdout().lock()), text).map(drop)
}

fn write(mut out: impl Write, text: &str) -> Result<bool, Unwritable> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(source) if source.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(source) => Err(Unwritable { name: "standard output".to_owned(), source }),
    }
}

/// Prints a text on a line of its own.
pub(crate) fn line(line: impl Into<String>) -> Result<(), Unwritable> {
    let mut line = line.into();
    line.push('\n');
    text(&line)
}

/// Prints JSON on a line of its own.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Unwritable> {
    line(to_json(value)?)
}

/// JSON on one line.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Unwritable> {
    let json = serde_json::to_string(value).map(|json| escaped(&json));
    json.map_err(|error| Unwritable { name: "JSON".to_owned(), source: error.into() })
}

/// Writes a file.
pub(crate) fn file(path: &Path, content: &str) -> Result<(), Unwritable> {
    fs::write(path, content).map_err(|source| Unwritable { name: input::name_of(path), source })
}
