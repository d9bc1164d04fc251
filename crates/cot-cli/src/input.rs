//! What a command is given to read.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use clap::Args;
use cot_core::task_format::{self, ParseErrors, Position};
use thiserror::Error;

use crate::verdict::{Outcome, Verdict};

/// The files of a command that takes several.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// Files to read; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,
}

impl Files {
    /// Does the work for each file, whatever comes of the others.
    pub(crate) fn each(&self, work: impl FnMut(&Path) -> Outcome) -> Outcome {
        once(self.paths.iter().map(PathBuf::as_path))?;
        let outcomes = self.paths.iter().map(PathBuf::as_path).map(work);
        Ok(outcomes.map(Verdict::of).max().unwrap_or(Verdict::Fine))
    }

    /// Whether there are several.
    pub(crate) fn are_many(&self) -> bool {
        self.paths.len() > 1
    }
}

/// Refuses to read standard input more than once.
pub(crate) fn once<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<(), &'static str> {
    match paths.filter(|path| is_standard(path)).count() {
        0 | 1 => Ok(()),
        _ => Err("standard input can be read once, and `-` is given again"),
    }
}

/// Why an input could not be read.
#[derive(Debug, Error)]
pub(crate) enum Unreadable {
    #[error("can't read {name}")]
    Io { name: String, source: io::Error },
    #[error("can't read {name}: it is not UTF-8 {}", place(.errors))]
    NotText { name: String, errors: ParseErrors },
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn text(path: &Path) -> Result<String, Unreadable> {
    let bytes = bytes(path)?;
    let text = task_format::decode(&bytes).map(str::to_owned);
    text.map_err(|errors| Unreadable::NotText { name: name_of(path), errors })
}

/// The input as messages name it.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard(path) { STANDARD.to_owned() } else { format!("`{}`", path.display()) }
}

/// The input as it is named before a line and a column.
pub(crate) fn origin_of(path: &Path) -> String {
    if is_standard(path) { STANDARD.to_owned() } else { path.display().to_string() }
}

const STANDARD: &str = "standard input";

pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bytes(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let read = if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|source| Unreadable::Io { name: name_of(path), source })
}

fn place(errors: &ParseErrors) -> String {
    let position = errors.as_slice().first().map_or(Position::START, |error| error.position);
    let Position { offset, line, column } = position;
    format!("at line {line}, column {column}, after {offset} bytes")
}
