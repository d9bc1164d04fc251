//! Tags and fences around JSON.

/// Names of the tags around what a model thinks aloud.
const THOUGHTS: &[&str] = &["think", "thinking", "thought", "reasoning", "scratchpad"];

/// Names of the tags around answers.
const ANSWERS: &[&str] =
    &["json", "answer", "output", "result", "response", "final", "final_answer", "tool_call"];

/// What a tag says of the text after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// Thoughts, up to the closing tag of this name.
    Opens(&'static str),
    /// No thoughts; all before were some.
    Closes,
}

/// The tag at the start of a text, if it is one around thoughts, and its length.
pub(super) fn thought(text: &str) -> Option<(Tag, usize)> {
    let (name, is_closing) = match text.strip_prefix("</") {
        Some(name) => (name, true),
        None => (text.strip_prefix('<')?, false),
    };
    let known = named(name, THOUGHTS)?;
    let length = known.len() + 2;
    Some(if is_closing { (Tag::Closes, length + 1) } else { (Tag::Opens(known), length) })
}

/// Whether a text starts with what ends JSON: a fence, or a tag that is closed.
pub(crate) fn ends_json(text: &str) -> bool {
    if text.starts_with("```") || text.starts_with("~~~") {
        return true;
    }
    text.strip_prefix("</")
        .is_some_and(|name| named(name, THOUGHTS).or_else(|| named(name, ANSWERS)).is_some())
        || matches!(thought(text), Some((Tag::Opens(_), _)))
}

/// What is in the one tag around an answer that a text consists of.
pub(super) fn untagged(text: &str) -> Option<&str> {
    let name = named(text.strip_prefix('<')?, ANSWERS)?;
    text.get(name.len() + 2..)?.strip_suffix(format!("</{name}>").as_str())
}

fn named(text: &str, names: &[&'static str]) -> Option<&'static str> {
    let known = |name: &&&str| text.strip_prefix(**name).is_some_and(|rest| rest.starts_with('>'));
    names.iter().find(known).copied()
}

/// What follows the thoughts of a reply.
pub(crate) fn without_thoughts(text: &str) -> &str {
    let closing = text.match_indices("</").filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let (tag, length) = thought(rest)?;
        if tag == Tag::Closes { rest.get(length..) } else { None }
    });
    closing.last().unwrap_or(text)
}
