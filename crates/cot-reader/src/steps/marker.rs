//! Recognizes the markers that begin a step or the conclusion.

use super::{
    decoration::{Line, is_blank, is_sign},
    digits::{han_number, number},
    language::{
        WITHOUT_COLON, WordRole, after_word, continues_word, words_after_numbers, words_of,
    },
    step_number::StepNumber,
};

/// A marker at the start of a line.
pub(super) enum Marker<'t> {
    Step { number: StepNumber, form: StepForm, content: Content<'t> },
    Conclusion { rank: Rank, content: Content<'t> },
}

/// How clearly a marker begins the conclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    /// By a word for the answer.
    Answer,
    /// By a connective, which also begins a courtesy.
    Connective,
    /// By a word without a colon, as prose has it.
    Unclear,
}

/// The form of a step marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StepForm {
    /// Whether the marker has a word for "step" besides the number.
    pub(super) has_word: bool,
    /// Whether the marker is a heading or bold.
    pub(super) is_decorated: bool,
}

/// The text after a marker, to the end of the whole text.
pub(super) struct Content<'t> {
    pub(super) rest: &'t str,
    /// The closing mark of the emphasis that began before the marker, if it is later on the line.
    pub(super) close: Option<&'t str>,
}

/// The separators between a number and the text of its step.
const SEPARATORS: [char; 7] = ['.', ':', ')', '：', '．', '）', '、'];
const COLONS: [char; 2] = [':', '：'];
const DASHES: [char; 3] = ['-', '–', '—'];

/// Recognizes the marker at the start of a text.
pub(super) fn marker(text: &str) -> Option<Marker<'_>> {
    let line = Line::parse(text);
    let first = line.rest.chars().next()?;
    if first.is_numeric()
        && let Some(step) = step_with_number(&line)
    {
        return Some(title(&line, step));
    }
    // Words without a colon are used only if no other marker matches.
    let mut unclear = None;
    for (word, role) in words_of(line.rest) {
        let Some(rest) = after_word(line.rest, word) else { continue };
        let marker = match role {
            WordRole::Step(after) => {
                step_with_word(&line, word, after, rest).map(|step| title(&line, step))
            }
            WordRole::Answer | WordRole::Connective => {
                let is_answer = matches!(role, WordRole::Answer);
                unclear = unclear.or_else(|| without_colon(&line, word, rest));
                conclusion(&line, rest, is_answer)
            }
        };
        if marker.is_some() {
            return marker;
        }
    }
    unclear
}

/// Converts a step to a conclusion if its title, a heading or bold, consists of a word for the answer.
fn title<'t>(line: &Line<'t>, step: Marker<'t>) -> Marker<'t> {
    let Marker::Step { content, .. } = &step else { return step };
    if !line.is_heading && content.close.is_none() {
        return step;
    }
    let rest = content.rest.trim_start_matches(is_sign);
    let words = words_of(rest);
    let answers = words.filter(|(_, role)| matches!(role, WordRole::Answer));
    let alone =
        answers.into_iter().find_map(|(word, _)| after_decoration_only(after_word(rest, word)?));
    match alone {
        Some(rest) => {
            Marker::Conclusion { rank: Rank::Answer, content: Content { rest, close: None } }
        }
        None => step,
    }
}

/// Recognizes a step that begins with its number: `1.`, `１．`, `1단계:`, `①`.
fn step_with_number<'t>(line: &Line<'t>) -> Option<Marker<'t>> {
    if let Some((number, rest)) = circled(line.rest) {
        return Some(step(line, number, false, Content { rest, close: line.close }));
    }
    let (number, rest) = number(line.rest)?;
    let inline = rest.trim_start_matches(is_blank);
    let words = words_after_numbers().take_while(|_| !inline.starts_with(|c: char| c.is_ascii()));
    for after in words {
        if let Some(rest) = after_word(inline, after) {
            return Some(step(line, number, true, after_step_separator(line, rest, true)?));
        }
    }
    let content = if line.is_decorated() {
        let content = after_step_separator(line, rest, false)?;
        // A number without text is more likely an answer.
        if rest_of_line(content.rest).chars().all(|c| !c.is_alphanumeric()) {
            return None;
        }
        content
    } else {
        let is_keycap =
            |rest: &'t str| rest.trim_start_matches('\u{fe0f}').strip_prefix('\u{20e3}');
        let rest = after_separator(rest).or_else(|| is_keycap(rest))?;
        Content { rest, close: None }
    };
    Some(step(line, number, false, content))
}

/// Recognizes a step that begins with a word such as "Step".
fn step_with_word<'t>(
    line: &Line<'t>,
    word: &str,
    after: &str,
    rest: &'t str,
) -> Option<Marker<'t>> {
    let is_english = word == "step";
    let inline = rest.trim_start_matches(is_blank);
    let text = if line.is_decorated() { inline } else { rest.trim_start() };
    let needs_space = !line.is_decorated() && word.chars().all(|c| c < '\u{e00}');
    if needs_space && text.len() == rest.len() {
        return None;
    }
    let (number, rest) =
        if is_english { number(text)? } else { number(text).or_else(|| han_number(text))? };
    let rest =
        if after.is_empty() { rest } else { after_word(rest.trim_start_matches(is_blank), after)? };
    let rest = sub_numbers(rest);
    let content = if line.is_decorated() || !is_english {
        after_step_separator(line, rest, true)?
    } else {
        let dashed = || after_dash(rest, rest.trim_start_matches(is_blank));
        Content { rest: rest.strip_prefix(SEPARATORS).or_else(dashed)?, close: None }
    };
    Some(step(line, number, true, content))
}

fn step<'t>(
    line: &Line<'t>,
    number: StepNumber,
    has_word: bool,
    content: Content<'t>,
) -> Marker<'t> {
    Marker::Step { number, form: StepForm { has_word, is_decorated: line.is_decorated() }, content }
}

/// Returns the text after sub-numbers such as the `.1` of `Step 2.1:`.
fn sub_numbers(mut text: &str) -> &str {
    while let Some(digits) = text.strip_prefix('.')
        && digits.starts_with(|c: char| c.is_ascii_digit())
    {
        text = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    text
}

/// Returns the text after the separator that directly follows a number. `3.5` and `12:30` have none.
fn after_separator(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(SEPARATORS)?;
    let is_within_number =
        text.starts_with(['.', ':']) && rest.starts_with(|c: char| c.is_ascii_digit());
    (!is_within_number).then_some(rest)
}

/// Returns the text after the separator of a decorated step, or of a language with spaces before colons.
///
/// If the marker has a word, the end of the bold or heading also counts as a separator.
fn after_step_separator<'t>(line: &Line<'t>, text: &'t str, has_word: bool) -> Option<Content<'t>> {
    let (closed, rest) = after_close(line, text.trim_start_matches(is_blank));
    let is_closed = line.close.is_some() && closed;
    let spaced = rest.trim_start_matches(is_blank);
    let mark = if has_word {
        let comma = spaced.strip_prefix('，');
        comma.or_else(|| spaced.strip_prefix(SEPARATORS)).or_else(|| after_dash(text, spaced))
    } else {
        after_separator(spaced)
    };
    if let Some(rest) = mark {
        let (closed, rest) = if is_closed { (true, rest) } else { after_close(line, rest) };
        return Some(Content { rest, close: line.close.filter(|_| !closed) });
    }
    let ends =
        || is_closed || line.is_heading || (line.is_decorated() && rest_of_line(rest).is_empty());
    let content = Content { rest, close: line.close.filter(|_| !is_closed) };
    (has_word && ends()).then_some(content)
}

/// Returns the text after a dash with spaces around it.
fn after_dash<'t>(before: &str, text: &'t str) -> Option<&'t str> {
    let rest = text.strip_prefix(DASHES)?;
    (text.len() < before.len() && rest.starts_with(is_blank)).then_some(rest)
}

/// Skips the closing mark of the line's emphasis. Returns whether it was there, and the text after it.
fn after_close<'t>(line: &Line<'_>, text: &'t str) -> (bool, &'t str) {
    match line.close.and_then(|close| text.strip_prefix(close)) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// Recognizes a conclusion whose word has a colon or, for a noun, is alone on its line or emphasized.
fn conclusion<'t>(line: &Line<'t>, rest: &'t str, is_answer: bool) -> Option<Marker<'t>> {
    let rank = if is_answer { Rank::Answer } else { Rank::Connective };
    let clear = |content| Some(Marker::Conclusion { rank, content });
    let (is_closed, after) = after_close(line, rest.trim_start_matches(is_blank));
    let spaced = after.trim_start_matches(is_blank);
    if let Some(rest) = spaced.strip_prefix(COLONS) {
        let (closed, rest) = if is_closed { (true, rest) } else { after_close(line, rest) };
        return clear(Content { rest, close: line.close.filter(|_| !closed) });
    }
    if !is_answer {
        return None;
    }
    if let Some(rest) = after_decoration_only(rest) {
        return clear(Content { rest, close: None });
    }
    if !line.is_decorated() {
        return None;
    }
    let close = line.close.filter(|_| !is_closed);
    if let Some(rest) = after_dash(rest, spaced) {
        return clear(Content { rest, close });
    }
    let is_word =
        is_closed && spaced.len() < after.len() && !spaced.starts_with(char::is_lowercase);
    is_word.then_some(Marker::Conclusion { rank, content: Content { rest: spaced, close } })
}

/// Recognizes a conclusion whose word has no colon. It is unclear, since prose begins with such words, too.
fn without_colon<'t>(line: &Line<'t>, word: &str, rest: &'t str) -> Option<Marker<'t>> {
    if line.is_decorated() || !WITHOUT_COLON.contains(&word) || rest.starts_with(continues_word) {
        return None;
    }
    let rest = rest.trim_start_matches(is_blank);
    let rest = rest.strip_prefix(['-', ',', '，']).unwrap_or(rest);
    Some(Marker::Conclusion { rank: Rank::Unclear, content: Content { rest, close: None } })
}

/// Returns the text after the line if the rest of the line is only decoration.
fn after_decoration_only(text: &str) -> Option<&str> {
    let end = text.find('\n').unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    line.chars().all(|c| matches!(c, '*' | '_' | '#' | '】') || is_sign(c)).then_some(rest)
}

fn rest_of_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default().trim()
}

/// Parses a circled number from 1 to 20 at the start of a text.
fn circled(text: &str) -> Option<(StepNumber, &str)> {
    let sign = text.chars().next().filter(|c| ('①'..='⑳').contains(c))?;
    let number = u64::from(u32::from(sign) - u32::from('①')) + 1;
    Some((number.into(), text.get(sign.len_utf8()..)?))
}
