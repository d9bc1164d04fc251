//! Prompts: the writer that templates write to, and the assembly of the standard parts.

pub(crate) mod assemble;
mod primers;
mod writer;

pub use writer::PromptWriter;

use std::fmt;

/// What can write the standard parts of a prompt, for those who put one together themselves.
pub(crate) trait PartSource {
    /// Writes a part by its name; `false` when there is none of this name.
    fn write_part(&self, name: &str, writer: &mut PromptWriter) -> Result<bool, fmt::Error>;
}
