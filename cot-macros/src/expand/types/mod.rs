//! Generates the types of a process.

mod choice;
pub(super) mod generated;
mod outputs;
pub(super) mod state;

pub(super) use choice::choice_name;
