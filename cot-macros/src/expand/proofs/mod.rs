//! Generates what is proved of a process: what a run costs at most, and what marked values reach.

pub(super) mod bounds;
pub(super) mod trust;
