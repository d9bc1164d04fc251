//! Prompts: the writer that templates write to, and the assembly of the standard parts.

pub(crate) mod assemble;
mod primers;
mod writer;

pub use writer::PromptWriter;
