//! Proven state: no task reads a field that some path to it has not written.
//!
//! It goes through three steps: `reads` finds what each task reads and when, `paths` follows the
//! process as long as a field is unset, and `report` words what both say together.

mod paths;
mod reads;
mod report;
pub(super) mod rules;
mod writes;

#[cfg(test)]
mod tests;
