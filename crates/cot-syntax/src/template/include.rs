//! Reads included template files.

use std::path::PathBuf;

use proc_macro2::Span;
use syn::{LitStr, Result};

use crate::diagnostics::error_at;

/// Reads the file that `include "file"` names.
pub(super) fn read_included(literal: &LitStr) -> Result<String> {
    let path = resolve_path(literal.span(), &literal.value());
    std::fs::read_to_string(&path).map_err(|error| {
        error_at(
            literal.span(),
            format!("can't read `{}`: {error}", literal.value()),
            "the path is relative to this source file, as in `include_str!`",
        )
    })
}

/// Resolves a path relative to the source file that contains a token.
fn resolve_path(span: Span, name: &str) -> PathBuf {
    // Outside a compiler (in this crate's own tests) no source file is known.
    let file = if proc_macro::is_available() { span.unwrap().local_file() } else { None };
    let source = file.or_else(|| {
        // Without a source file (an editor's expansion), the root of the package is the best guess.
        std::env::var_os("CARGO_MANIFEST_DIR").map(|root| PathBuf::from(root).join("src/lib.rs"))
    });
    source.unwrap_or_default().with_file_name(name)
}
