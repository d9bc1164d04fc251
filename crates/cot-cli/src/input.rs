//! The inputs of a command.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use clap::Args;
use cot_task_format::{ParseErrors, Position};
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
    /// Runs `work` for each file, also after failures. Returns the worst verdict.
    pub(crate) fn each(&self, work: impl FnMut(&Path) -> Outcome) -> Outcome {
        check_stdin_once(self.paths.iter().map(PathBuf::as_path))?;
        let outcomes = self.paths.iter().map(PathBuf::as_path).map(work);
        Ok(outcomes.map(Verdict::from_outcome).max().unwrap_or(Verdict::Fine))
    }

    /// Returns whether there are several files.
    pub(crate) fn is_several(&self) -> bool {
        self.paths.len() > 1
    }
}

/// Fails if standard input is named more than once.
pub(crate) fn check_stdin_once<'p>(
    paths: impl Iterator<Item = &'p Path>,
) -> Result<(), &'static str> {
    match paths.filter(|path| is_standard(path)).count() {
        0 | 1 => Ok(()),
        _ => Err("standard input can be read only once, but `-` is given more than once"),
    }
}

/// The error for an input that can't be read.
#[derive(Debug, Error)]
pub(crate) enum InputError {
    #[error("can't read {name}")]
    Io { name: String, source: io::Error },
    #[error("can't read {name}: it is not UTF-8 {}", place(.errors))]
    NotText { name: String, errors: ParseErrors },
}

/// Reads the text of a file, or of standard input for `-`.
pub(crate) fn text(path: &Path) -> Result<String, InputError> {
    let bytes = bytes(path)?;
    let text = cot_task_format::decode(&bytes).map(str::to_owned);
    text.map_err(|errors| InputError::NotText { name: name_of(path), errors })
}

/// Returns the name of an input for messages.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard(path) { STANDARD.to_owned() } else { format!("`{}`", path.display()) }
}

/// Returns the name of an input for the location of a finding.
pub(crate) fn origin_of(path: &Path) -> String {
    if is_standard(path) { STANDARD.to_owned() } else { path.display().to_string() }
}

const STANDARD: &str = "standard input";

pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bytes(path: &Path) -> Result<Vec<u8>, InputError> {
    let read = if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|source| InputError::Io { name: name_of(path), source })
}

fn place(errors: &ParseErrors) -> String {
    let position = errors.as_slice().first().map_or(Position::START, |error| error.position);
    let Position { offset, line, column } = position;
    format!("at line {line}, column {column}, after {offset} bytes")
}
