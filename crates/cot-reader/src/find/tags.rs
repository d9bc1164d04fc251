//! Recognizes tags and fences around JSON.

/// The names of tags around thoughts.
const THOUGHTS: &[&str] = &["think", "thinking", "thought", "reasoning", "scratchpad"];

/// The names of tags around answers.
const ANSWERS: &[&str] =
    &["json", "answer", "output", "result", "response", "final", "final_answer", "tool_call"];

/// A tag of thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// An opening tag. Thoughts extend to the closing tag of this name.
    Opens(&'static str),
    /// A closing tag. All text before it is thought.
    Closes,
}

/// Returns the tag of thoughts at the start of a text, with its length.
pub(super) fn thought_tag(text: &str) -> Option<(Tag, usize)> {
    let (name, is_closing) = match text.strip_prefix("</") {
        Some(name) => (name, true),
        None => (text.strip_prefix('<')?, false),
    };
    let known = named(name, THOUGHTS)?;
    let length = known.len() + 2;
    Some(if is_closing { (Tag::Closes, length + 1) } else { (Tag::Opens(known), length) })
}

/// Returns whether a text starts with a fence or tag that ends JSON.
pub(crate) fn ends_json(text: &str) -> bool {
    if text.starts_with("```") || text.starts_with("~~~") {
        return true;
    }
    text.strip_prefix("</")
        .is_some_and(|name| named(name, THOUGHTS).or_else(|| named(name, ANSWERS)).is_some())
        || matches!(thought_tag(text), Some((Tag::Opens(_), _)))
}

/// Returns the content of a text that consists of one tagged answer.
pub(super) fn untagged(text: &str) -> Option<&str> {
    let name = named(text.strip_prefix('<')?, ANSWERS)?;
    text.get(name.len() + 2..)?.strip_suffix(format!("</{name}>").as_str())
}

fn named(text: &str, names: &[&'static str]) -> Option<&'static str> {
    let known = |name: &&&str| text.strip_prefix(**name).is_some_and(|rest| rest.starts_with('>'));
    names.iter().find(known).copied()
}

/// Returns the text after the thoughts of a reply.
pub(crate) fn without_thoughts(text: &str) -> &str {
    let closing = text.match_indices("</").filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let (tag, length) = thought_tag(rest)?;
        if tag == Tag::Closes { rest.get(length..) } else { None }
    });
    closing.last().unwrap_or(text)
}
