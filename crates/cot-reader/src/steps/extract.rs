//! Takes a text apart that thinks aloud.

use std::borrow::Cow;

use super::{conclusion, marks::Marks, step::Step};

/// The steps of a text, and its conclusion.
///
/// **Steps.** A line that begins with `Step N` or `N`, and `:`, `.` or `)` right after the number, begins a
/// step, which runs to the next one. What stands before the first is no step.
///
/// - The word is that of any of some 30 languages (`Schritt 1:`, `Étape 1 :`, `步骤 1：`, `第一步：`,
///   `1단계:`), the digits are those of any script (`١.`), and punctuation may be full-width.
/// - The marker may be a heading (`### Step 1: …`, also with nothing after the number) or in bold
///   (`**Step 1:** …`, `**1. …**`). The signs of Markdown around it are no part of the step. Where steps
///   are marked so, the other numbers at the start of lines are those of lists within them.
/// - Where no line begins with a number, those that begin with `-`, `*` or `•` and a space begin a step,
///   counted from 1; an indented one belongs to the step that it stands in.
///
/// **Conclusion.** The first of these that the text has, which is not empty:
///
/// 1. what follows on the first `####` that is no heading of a step or a conclusion;
/// 2. what follows on the last marker that stands alone: a word such as *conclusion, answer, final answer,
///    in conclusion, therefore, thus, hence, so*, or that of another language (`Fazit:`, `Conclusion :`,
///    `结论：`), at the start of a line and with a colon; a word for the answer also as a heading, in bold,
///    or alone in its line;
/// 3. the content of the last `\boxed{…}`;
/// 4. what follows on the last line that begins with one of the English words above without a colon, if no
///    step follows.
///
/// It runs to the end of the text, and the steps come from before it; those of a text with a box come from
/// all of it.
///
/// Empty steps are dropped. Space around steps and conclusion, and rules (`---`) after a step, are no part
/// of them. Only where the conclusion is not told by `####`, lines that end with CRLF come to end with LF.
/// A byte order mark at the start is no part of the text.
///
/// It takes time in proportion to the text, in any script.
///
/// ```
/// use cot_core::reasoning::extract_steps_and_conclusion;
///
/// for text in [
///     "Let me see.\nStep 1: Light is fast.\nStep 2: Sound is slow.\nTherefore: light first.",
///     "### Step 1: Light is fast.\n\n### Step 2: Sound is slow.\n\n**Final Answer:** light first.",
///     "步骤 1：Light is fast.\n步骤 2：Sound is slow.\n结论：light first.",
/// ] {
///     let (steps, conclusion) = extract_steps_and_conclusion(text);
///     let contents: Vec<_> = steps.iter().map(|step| step.content.as_str()).collect();
///     assert_eq!(contents, ["Light is fast.", "Sound is slow."]);
///     assert_eq!(conclusion.as_deref(), Some("light first."));
/// }
/// ```
#[must_use]
pub fn extract_steps_and_conclusion(text: &str) -> (Vec<Step>, Option<String>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some((before, conclusion)) = conclusion::after_hashes(text) {
        let before = before.trim();
        let steps = Marks::of(before).steps(before, before.len());
        return (steps, Some(conclusion.to_owned()));
    }
    marked(&with_plain_newlines(text))
}

/// The steps and the conclusion of a text in which markers tell them.
fn marked(text: &str) -> (Vec<Step>, Option<String>) {
    let mut marks = Marks::of(text);
    let mut end = text.len();
    while let Some(last) = marks.conclusions.pop() {
        if let Some(conclusion) = last.content(text, end) {
            return (marks.steps(text, last.start), Some(conclusion));
        }
        end = last.start;
    }
    if let Some(boxed) = text.get(..end).and_then(conclusion::boxed) {
        return (marks.steps(text, end), Some(boxed.to_owned()));
    }
    let unclear = marks.unclear.as_ref().filter(|mark| mark.start < end);
    let unclear = unclear.filter(|mark| !marks.has_step_after(mark.start, text, end));
    match unclear.and_then(|mark| Some((mark.start, mark.content(text, end)?))) {
        Some((start, conclusion)) => (marks.steps(text, start), Some(conclusion)),
        None => (marks.steps(text, end), None),
    }
}

fn with_plain_newlines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}
