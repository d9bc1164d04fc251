//! Templates: text with `${ expression }` in it.

mod brackets;
pub(crate) mod reader;
