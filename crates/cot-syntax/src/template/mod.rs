//! Parses templates: text with `${ expression }` in it, a file of such text, or a function.

mod brackets;
mod flaws;
mod include;
pub(crate) mod piece;
pub(crate) mod reader;
pub(crate) mod syntax;
#[cfg(test)]
mod tests;
