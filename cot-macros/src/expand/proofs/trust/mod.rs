//! Generates what a process says about trust: its table, and the warnings about what untrusted values reach.

mod table;
mod warnings;

pub(in crate::expand) use table::definition;
pub(in crate::expand) use warnings::expand as expand_warnings;
