//! Branches: checks that each branch of a parallel task leads to the join and nowhere else, and that no branch
//! writes what another one reads or writes.
//!
//! `members` finds the tasks of each branch, `shape` checks the paths between them, `places` finds what each
//! branch reads and writes, and `conflicts` compares the branches.

mod conflicts;
mod members;
mod places;
pub(super) mod rules;
mod shape;
