//! The files in folders.

use std::{
    fs,
    path::{Path, PathBuf},
};

use cot_format::Language;
use thiserror::Error;

/// The error for a file or folder that can't be listed.
#[derive(Debug, Error)]
#[error("can't read `{}`", path.display())]
pub(super) struct ListError {
    path: PathBuf,
    source: std::io::Error,
}

/// Adds a file, or the Rust and Markdown files in a folder, in the order of their names. `target`, hidden folders and
/// symbolic links in folders are left out.
pub(super) fn find(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), ListError> {
    let wrong = |source| ListError { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(wrong)?.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).map_err(wrong)? {
        entries.push(entry.map_err(wrong)?);
    }
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(wrong)?;
        let name = entry.file_name();
        let is_excluded = name == "target" || name.to_string_lossy().starts_with('.');
        let inner = if path == Path::new(".") { PathBuf::from(&name) } else { entry.path() };
        if kind.is_dir() && !is_excluded {
            find(&inner, found)?;
        } else if kind.is_file() && inner.extension().is_some_and(|it| it == "rs" || it == "md") {
            found.push(inner);
        }
    }
    Ok(())
}

/// Returns the language of a file: Rust, unless it is named as Markdown.
pub(super) fn language_of(path: &Path) -> Language {
    match path.extension() {
        Some(extension) if extension == "md" => Language::Markdown,
        _ => Language::Rust,
    }
}
