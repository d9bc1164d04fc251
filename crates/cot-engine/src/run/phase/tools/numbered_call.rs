//! A tool call with its place in the visit.

use cot_model::ToolCall;
use serde_json::Value;

/// A call with its number in the visit, and the arguments as they were read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedCall<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) arguments: &'a Value,
    pub(crate) number: u32,
}
