//! Expansions as reviewed text.

mod tests;
