//! The writer of the parts of a prompt, as templates reach it.

use crate::template::{parts::PartError, writer::PromptWriter};

/// Writes the parts of the prompt that is being assembled.
pub(crate) trait PartSource {
    /// Writes a part by its name.
    fn write_part(&self, name: &str, writer: &mut PromptWriter) -> Result<(), PartError>;
    /// Returns a writer that leaves out what the prompt leaves out.
    fn writer(&self) -> PromptWriter;
}
