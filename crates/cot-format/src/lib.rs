//! The formatter of the bodies of `cot_process!`, whose text rustfmt leaves as it is written.
//!
//! [`Document::read`] finds and reads the bodies of a file. The Rust code in them is formatted by rustfmt, and not by
//! `prettyplease`, which drops comments: [`format_snippets`] formats the code of any number of documents, most of the
//! time with one call. This crate starts no process; what calls it does. [`Document::finish`] puts everything together.
//!
//! # The style
//!
//! - Four spaces for each level, lines of 100 columns by default.
//! - One entry a line: an item, a task, an element of a list. A list in braces or brackets stays on one line where its
//!   first entry is on the line of the opening delimiter, all of it fits, and no comment ends a line in it.
//! - A comma follows each entry, also the last one of a list with several lines, but no task and no sequence.
//! - An entry that does not fit is continued below its `with` and its `if`.
//! - An empty line is before and after a task of several lines. Elsewhere, one empty line is kept.
//! - Comments stay where they are, and attributes have lines of their own. Literals are never changed.
//! - Rust code has the style of rustfmt, with `use_small_heuristics = "Max"`. Where rustfmt would change its tokens, as
//!   it does when it removes the braces of a closure, the code stays as it is written.
//!
//! # Guarantees
//!
//! A formatted body has the same tokens as before, except for commas between entries, and the same comments, which is
//! checked for each body that is formatted. The text outside of bodies is unchanged. A file in which a body can't be
//! read is not formatted.

#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The formatter of the bodies of `cot_process!`, which starts no process: `lexer` and `invocations` find them in a
// file, `fences` in Markdown; `grammar` reads a body with `cot-syntax`, and `fragments` fills the `outline` of the
// Rust code in it; `tree` is its lists with their comments, `plan` says where code stands, `batch` has one call of
// rustfmt format the code of many files, `layout` writes the lists; `same` compares tokens and comments before a
// result is given out.

mod batch;
mod document;
mod fences;
mod fragments;
mod grammar;
mod indent;
mod invocations;
mod layout;
mod lexer;
mod outline;
mod plan;
mod problem;
mod same;
mod snippets;
mod tree;

pub use batch::{Refusal, format_snippets};
pub use document::{Document, Language};
pub use problem::Problem;
pub use snippets::Snippet;
