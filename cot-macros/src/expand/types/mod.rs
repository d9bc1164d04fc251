//! Generates the types of a process.

mod choice;
pub(super) mod generated;
pub(in crate::expand) mod outline;
mod outputs;
pub(super) mod state;

pub(super) use choice::choice_name;
