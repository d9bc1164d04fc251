//! Proven state: checks that every field is written on all paths to the tasks that read it.
//!
//! The check has three steps: `reads` finds the reads of each task, `paths` follows the process while a
//! field is unset, and `report` explains each read on such a path.

mod paths;
mod reads;
mod report;
pub(super) mod rules;
pub(super) mod sites;
pub(super) mod writes;

#[cfg(test)]
mod tests;
