//! Assembles prompts from the parts of a process.

pub(crate) mod assemble;
mod assembly;
pub(crate) mod input;
pub(crate) mod order;
pub mod primers;
mod standard;
#[cfg(test)]
mod tests;
