//! Snapshot tests of expansions.

mod tests;
