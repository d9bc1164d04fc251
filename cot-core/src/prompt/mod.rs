//! Prompts: the writer that templates write to, and the assembly of the standard parts.

pub(crate) mod assemble;
mod assembly;
mod mode;
mod partial;
mod parts;
mod primers;
mod recorder;
mod segments;
mod standard;
#[cfg(test)]
mod tests;
mod writer;

pub use mode::{PromptMode, UnknownMode};
pub use partial::{Fragment, PartialPrompt};
pub use parts::{Newlines, PartError, PartName, own_part, standard_part};
pub use segments::{PromptSegments, Segment, SegmentKind};
pub use writer::{Mark, PromptWriter};

/// What can write the parts of a prompt, for those who put one together themselves.
pub(crate) trait PartSource {
    /// Writes a part by its name.
    fn write_part(&self, name: &str, writer: &mut PromptWriter) -> Result<(), PartError>;
    /// A writer that keeps to what the prompt leaves out.
    fn writer(&self) -> PromptWriter;
}
