//! Recognizes the marks that templates of models put around calls of tools.
//!
//! JSON within such marks is a call, or a part of one, and no answer.

use cot_schema::internal::truncate;

use super::tags;

/// The marks before and after a call.
const CALLS: [(&str, &str); 15] = [
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<tool_use>", "</tool_use>"),
    ("<function_call>", "</function_call>"),
    ("<function_calls>", "</function_calls>"),
    ("<function=", "</function>"),
    ("<invoke ", "</invoke>"),
    ("<start_function_call>", "<end_function_call>"),
    ("<|tool_call|>", "<|/tool_call|>"),
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("<|python_tag|>", "<|eom_id|>"),
    ("<|channel|>commentary to=", "<|call|>"),
    ("[TOOL_CALLS]", "</s>"),
    ("[TOOL_CALL]", "[/TOOL_CALL]"),
];

/// Maximum length of the text between a mark and the JSON of its call, in bytes.
const MAX_HEADER: usize = 300;

/// Returns the text between the mark of a call and a position within the call, or `None` if the position is not
/// within one.
pub(crate) fn call_header(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let near = before.ceil_char_boundary(at.saturating_sub(MAX_HEADER));
    let near = before.get(near..)?;
    let opened = CALLS.iter().filter_map(|(open, close)| {
        let start = near.rfind(open)? + open.len();
        let header = near.get(start..)?;
        (!header.contains(close) && !tags::closes_thoughts(header)).then_some(header)
    });
    opened.min_by_key(|header| header.len())
}

/// Returns whether a text has the mark of a call outside its thoughts.
pub fn has_call_mark(text: &str) -> bool {
    let text = tags::without_thoughts(text);
    CALLS.iter().any(|(open, _)| text.contains(open))
}

/// Returns whether a text starts with the mark after a call.
pub(super) fn ends_call(text: &str) -> bool {
    CALLS.iter().any(|(_, close)| truncate(text, MAX_HEADER).starts_with(close))
}
