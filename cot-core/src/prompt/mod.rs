//! The parts of prompts by name, and the segments of a prompt.

mod segments;

pub(crate) use crate::engine::{
    prompt::assemble,
    template::{part_source::PartSource, parts::PartName, writer::PromptWriter},
};
pub use segments::{PromptSegments, Segment, SegmentKind};
