//! Generates what a process says about trust: its table, and the warnings about what untrusted values reach.

mod table;
mod warnings;

pub(super) use table::definition;
pub(super) use warnings::expand as expand_warnings;
