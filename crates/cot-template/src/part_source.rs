//! Writing parts of a prompt from within templates.

use crate::{parts::PartError, writer::PromptWriter};

/// Writes parts of the prompt that is being assembled.
pub trait PartSource: Sync {
    /// Writes the part with this name.
    ///
    /// # Errors
    ///
    /// If there is no such part, it contains itself, or its template fails.
    fn write_part(&self, name: &str, writer: &mut PromptWriter) -> Result<(), PartError>;
    /// Returns a new writer that applies the same omissions as the prompt.
    fn writer(&self) -> PromptWriter;
}
