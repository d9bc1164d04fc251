//! Recognizes tags and fences around JSON.

/// The marks before and after thoughts.
const THOUGHTS: [(&str, &str); 9] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
];

/// The names of tags around answers.
const ANSWERS: &[&str] =
    &["json", "answer", "output", "result", "response", "final", "final_answer"];

/// A mark of thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// An opening mark. Thoughts extend to this closing mark.
    Opens(&'static str),
    /// A closing mark. All text before it is thought.
    Closes,
}

/// Returns the mark of thoughts at the start of a text, with its length.
pub(super) fn thought_tag(text: &str) -> Option<(Tag, usize)> {
    THOUGHTS.iter().find_map(|(open, close)| {
        if text.starts_with(open) {
            Some((Tag::Opens(close), open.len()))
        } else {
            text.starts_with(close).then_some((Tag::Closes, close.len()))
        }
    })
}

/// Returns whether thoughts end in a text.
pub(super) fn closes_thoughts(text: &str) -> bool {
    THOUGHTS.iter().any(|(_, close)| text.contains(close))
}

/// Returns whether a text starts with the tag after an answer.
pub(super) fn ends_answer(text: &str) -> bool {
    text.strip_prefix("</").is_some_and(|name| named(name, ANSWERS).is_some())
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
    let ends = THOUGHTS.iter().filter_map(|(_, close)| Some(text.rfind(close)? + close.len()));
    ends.max().and_then(|end| text.get(end..)).unwrap_or(text)
}

/// Removes the closing tag of a call after JSON, which some models write as a part of its last argument.
pub(crate) fn without_tag(text: &str) -> &str {
    let tag = |text: &str| text.strip_suffix('>')?.rsplit_once("</").map(|(json, _)| json.len());
    let json = tag(text).and_then(|end| text.get(..end)).map(str::trim_end);
    json.filter(|json| json.ends_with(['}', ']'])).unwrap_or(text)
}
