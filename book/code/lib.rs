//! The book of this workspace: what its pages consist of, for the preprocessor that builds it and for its tests.
//!
//! The texts are in `src`, for mdBook and for readers on a code host alike. The guides are those of `cot-core`,
//! whose documentation includes them. `README.md` of this folder describes how the book is built.

mod api;
mod chapter;
mod markdown;
pub mod models;
pub mod pictures;
mod summary;

pub use api::Api;
pub use chapter::{GUIDE, guide_of, render};
pub use markdown::{Fence, Link, Page, relative};
pub use summary::{Entry, entries};

use std::path::{Path, PathBuf};

/// Returns the folder of the book, with `src` and `programs`.
#[must_use]
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the root of the workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    folder().join("..")
}

/// The Rust code of the pages, compiled and run as doc tests. The guides are tested with `cot-core`.
#[cfg(doctest)]
mod pages;
