//! Reads included template files.

use std::path::PathBuf;

use proc_macro2::Span;
use syn::{LitStr, Result};

use crate::diagnostics::error_at;

/// Reads the file that `include "file"` names.
pub(super) fn read_included(literal: &LitStr) -> Result<String> {
    let source = source_file(literal.span());
    let is_guess = proc_macro::is_available() && source.is_none();
    let path =
        source.or_else(guess_source_file).unwrap_or_default().with_file_name(literal.value());
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(text),
        // An editor does not know the file of a token, so the text may be elsewhere.
        Err(_) if is_guess => Ok(String::new()),
        Err(error) => Err(error_at(
            literal.span(),
            format!("can't read `{}`: {error}", literal.value()),
            "the path is relative to this source file, as in `include_str!`",
        )),
    }
}

/// Returns the source file that contains a token. Outside a compiler (in this crate's own tests) none is known.
fn source_file(span: Span) -> Option<PathBuf> {
    if proc_macro::is_available() { span.unwrap().local_file() } else { None }
}

/// Returns the root of the package, which is the best guess without a source file.
fn guess_source_file() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(|root| PathBuf::from(root).join("src/lib.rs"))
}
