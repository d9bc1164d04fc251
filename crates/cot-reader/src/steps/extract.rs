//! Extracts numbered steps and a conclusion from a text.

use std::borrow::Cow;

use super::{conclusion, marks::Marks, step::Step};

/// Extracts the steps of reasoning and the conclusion from a text.
///
/// **Steps.** A line that begins with `Step N` or `N`, directly followed by `:`, `.` or `)`, begins a step, and so
/// does `Step N -`. A step extends to the next one. Text before the first step is ignored.
///
/// - The word may be in any of about 30 languages (`Schritt 1:`, `Étape 1 :`, `步骤 1：`, `第一步：`,
///   `1단계:`), the digits in any script (`١.`), and punctuation may be full-width.
/// - The marker may be a heading (`### Step 1: …`, also with nothing after the number) or bold
///   (`**Step 1:** …`, `**1. …**`). The Markdown around it is not part of the step. If steps are marked so, other
///   numbers at the start of lines belong to lists within the steps.
/// - If no line begins with a number, lines that begin with `-`, `*` or `•` and a space are steps, counted
///   from 1. Indented bullets are part of the step that contains them.
///
/// **Conclusion.** The first of these that is present and not empty:
///
/// 1. the text after the first `####` that is not the heading of a step or conclusion;
/// 2. the text after the last clear marker: a word such as *conclusion, answer, final answer, in conclusion,
///    therefore, thus, hence, so*, or its equivalent in another language (`Fazit:`, `Conclusion :`, `结论：`),
///    at the start of a line and with a colon; a word for the answer also as a heading, in bold, or alone on
///    its line. A word for the answer outranks a connective such as *so*, and ends where that begins;
/// 3. the content of the last `\boxed{…}`;
/// 4. the text after the last line that begins with one of the English words above without a colon, if no
///    step follows.
///
/// The conclusion extends to the end of the text, and steps are extracted only from the text before it. With
/// `\boxed{…}`, steps are extracted from the whole text.
///
/// Empty steps are dropped. Surrounding white space and rules (`---`) after a step are removed, as is a
/// byte-order mark at the start. CRLF is normalized to LF unless the conclusion is marked by `####`.
///
/// Takes time linear in the length of the text, in any script.
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
        let steps = Marks::collect(before).steps(before, before.len());
        return (steps, Some(conclusion.to_owned()));
    }
    extract_by_markers(&with_plain_newlines(text))
}

/// Extracts the steps and the conclusion of a text without `####`.
fn extract_by_markers(text: &str) -> (Vec<Step>, Option<String>) {
    let marks = Marks::collect(text);
    // A word for the answer outranks a connective, and ends where the next conclusion begins.
    for answers_only in [true, false] {
        let mut end = text.len();
        for (span, is_answer) in marks.conclusions.iter().rev() {
            let found = span.content(text, end).filter(|_| *is_answer || !answers_only);
            if let Some(conclusion) = found {
                return (marks.steps(text, span.start), Some(conclusion));
            }
            end = span.start;
        }
    }
    let end = marks.conclusions.first().map_or(text.len(), |(span, _)| span.start);
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
