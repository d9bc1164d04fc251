//! Tests of processes that lack a token, or misspell a key.

mod tests;

pub(crate) use tests::{broken, processes};
