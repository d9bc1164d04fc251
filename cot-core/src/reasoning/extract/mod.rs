//! Takes a text apart that thinks aloud.

mod conclusion;
mod steps;

use std::borrow::Cow;

use super::Step;

/// The steps of a text, and its conclusion.
///
/// - A text with `####` splits at the first one: what follows is the conclusion, unless it is empty, and
///   the steps come from before it.
/// - Otherwise the first line that begins with one of the words *conclusion, answer, therefore, final
///   answer, in conclusion, thus, hence, so*, in any case, begins the conclusion, which runs to the end of
///   the text. The word, and a `:` or `-` after it, are no part of it. The steps come from the lines
///   before.
/// - A line that begins with `Step N` or `N`, and `:`, `.` or `)` right after the number, begins a step,
///   which runs to the next one. What stands before the first is no step.
/// - Where there are no such lines, those that begin with `-`, `*` or `•` and a space begin one, counted
///   from 1; an indented one belongs to the step that it stands in.
/// - Empty steps are dropped. Space around steps and conclusion is no part of them. Only where the
///   conclusion is not told by `####`, lines that end with CRLF come to end with LF. A byte order mark
///   at the start is no part of the text.
///
/// It takes time in proportion to the text, in any script.
///
/// ```
/// use cot_core::reasoning::extract_steps_and_conclusion;
///
/// let text = "Let me see.\nStep 1: 光は速い。\nStep 2: 音は遅い。\nTherefore: 先に光る。";
/// let (steps, conclusion) = extract_steps_and_conclusion(text);
/// let contents: Vec<_> = steps.iter().map(|step| step.content.as_str()).collect();
/// assert_eq!(contents, ["光は速い。", "音は遅い。"]);
/// assert_eq!(conclusion.as_deref(), Some("先に光る。"));
/// ```
#[must_use]
pub fn extract_steps_and_conclusion(text: &str) -> (Vec<Step>, Option<String>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some((before, conclusion)) = conclusion::after_hashes(text) {
        return (steps::of(before.trim()), Some(conclusion.to_owned()));
    }
    let text = with_plain_newlines(text);
    let (before, conclusion) = conclusion::after_marker(&text);
    (steps::of(before), conclusion.map(str::to_owned))
}

fn with_plain_newlines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

#[cfg(test)]
mod property;
#[cfg(test)]
mod tests;
