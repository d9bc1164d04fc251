//! Lines that begin a step or the conclusion.

use super::{
    decoration::{Line, is_blank, is_sign},
    digits::{han_number, number},
    language::{Role, WITHOUT_COLON, after_word, continues_word, words_after_numbers, words_of},
    step_number::StepNumber,
};

/// What a line begins. What its marker is followed by is a text to the very end.
pub(super) enum Marker<'t> {
    Step { number: StepNumber, kind: Kind, content: Content<'t> },
    Conclusion { is_clear: bool, content: Content<'t> },
}

/// How a step is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    /// With the word for a step, and not its number alone.
    pub(super) has_word: bool,
    /// In a heading, or in bold.
    pub(super) is_decorated: bool,
}

/// What follows on a marker.
pub(super) struct Content<'t> {
    pub(super) rest: &'t str,
    /// What ends the bold that began before the marker, if it is still to come in the line.
    pub(super) close: Option<&'t str>,
}

/// What stands between a number and what it is the number of.
const SEPARATORS: [char; 7] = ['.', ':', ')', '：', '．', '）', '、'];
const COLONS: [char; 2] = [':', '：'];
const DASHES: [char; 3] = ['-', '–', '—'];

/// The marker that a text begins with.
pub(super) fn marker(text: &str) -> Option<Marker<'_>> {
    let line = Line::of(text);
    let first = line.rest.chars().next()?;
    if first.is_numeric()
        && let Some(step) = numbered(&line)
    {
        return Some(title(&line, step));
    }
    // The English words that need no colon, where no word has one.
    let mut unclear = None;
    for (word, role) in words_of(line.rest) {
        let Some(rest) = after_word(line.rest, word) else { continue };
        let marker = match role {
            Role::Step(after) => worded(&line, word, after, rest).map(|step| title(&line, step)),
            Role::Answer | Role::Connective => {
                let is_answer = matches!(role, Role::Answer);
                unclear = unclear.or_else(|| without_colon(&line, word, rest));
                concluding(&line, rest, is_answer)
            }
        };
        if marker.is_some() {
            return marker;
        }
    }
    unclear
}

/// A step, or the conclusion where its title, in the heading or the bold, is no more than a word for that.
fn title<'t>(line: &Line<'t>, step: Marker<'t>) -> Marker<'t> {
    let Marker::Step { content, .. } = &step else { return step };
    if !line.is_heading && content.close.is_none() {
        return step;
    }
    let rest = content.rest.trim_start_matches(is_sign);
    let words = words_of(rest);
    let answers = words.filter(|(_, role)| matches!(role, Role::Answer));
    let alone = answers.into_iter().find_map(|(word, _)| alone(after_word(rest, word)?));
    match alone {
        Some(rest) => Marker::Conclusion { is_clear: true, content: Content { rest, close: None } },
        None => step,
    }
}

/// A step that begins with its number: `1.`, `１．`, `1단계:`, `①`.
fn numbered<'t>(line: &Line<'t>) -> Option<Marker<'t>> {
    if let Some((number, rest)) = circled(line.rest) {
        return Some(step(line, number, false, Content { rest, close: line.close }));
    }
    let (number, rest) = number(line.rest)?;
    let inline = rest.trim_start_matches(is_blank);
    let words = words_after_numbers().take_while(|_| !inline.starts_with(|c: char| c.is_ascii()));
    for after in words {
        if let Some(rest) = after_word(inline, after) {
            return Some(step(line, number, true, separated(line, rest, true)?));
        }
    }
    let content = if line.is_decorated() {
        let content = separated(line, rest, false)?;
        // A number alone is more likely an answer.
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

/// A step that begins with a word for it.
fn worded<'t>(line: &Line<'t>, word: &str, after: &str, rest: &'t str) -> Option<Marker<'t>> {
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
        separated(line, rest, true)?
    } else {
        Content { rest: rest.strip_prefix(SEPARATORS)?, close: None }
    };
    Some(step(line, number, true, content))
}

fn step<'t>(
    line: &Line<'t>,
    number: StepNumber,
    has_word: bool,
    content: Content<'t>,
) -> Marker<'t> {
    Marker::Step { number, kind: Kind { has_word, is_decorated: line.is_decorated() }, content }
}

/// What follows on the `.1` of `Step 2.1:`.
fn sub_numbers(mut text: &str) -> &str {
    while let Some(digits) = text.strip_prefix('.')
        && digits.starts_with(|c: char| c.is_ascii_digit())
    {
        text = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    text
}

/// What follows on the separator right after the number of a list; `3.5` and `12:30` have none.
fn after_separator(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(SEPARATORS)?;
    let is_within_number =
        text.starts_with(['.', ':']) && rest.starts_with(|c: char| c.is_ascii_digit());
    (!is_within_number).then_some(rest)
}

/// What follows on the number of a step and what separates it, in bold, in a heading, or in a language that
/// puts space before its colons. Where there is a word, the end of the bold or of the heading will do.
fn separated<'t>(line: &Line<'t>, text: &'t str, has_word: bool) -> Option<Content<'t>> {
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

/// What follows on a dash with space around it.
fn after_dash<'t>(before: &str, text: &'t str) -> Option<&'t str> {
    let rest = text.strip_prefix(DASHES)?;
    (text.len() < before.len() && rest.starts_with(is_blank)).then_some(rest)
}

/// What follows on the end of the bold that the line began with, if it ends here.
fn after_close<'t>(line: &Line<'_>, text: &'t str) -> (bool, &'t str) {
    match line.close.and_then(|close| text.strip_prefix(close)) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// A conclusion whose word has a colon, or is alone in its line.
fn concluding<'t>(line: &Line<'t>, rest: &'t str, is_answer: bool) -> Option<Marker<'t>> {
    let clear = |content| Some(Marker::Conclusion { is_clear: true, content });
    let (is_closed, after) = after_close(line, rest.trim_start_matches(is_blank));
    let spaced = after.trim_start_matches(is_blank);
    if let Some(rest) = spaced.strip_prefix(COLONS) {
        let (closed, rest) = if is_closed { (true, rest) } else { after_close(line, rest) };
        return clear(Content { rest, close: line.close.filter(|_| !closed) });
    }
    if !is_answer {
        return None;
    }
    if let Some(rest) = alone(rest) {
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
    is_word
        .then_some(Marker::Conclusion { is_clear: true, content: Content { rest: spaced, close } })
}

/// A conclusion of the words that may stand without a colon. Prose begins with them too.
fn without_colon<'t>(line: &Line<'t>, word: &str, rest: &'t str) -> Option<Marker<'t>> {
    if line.is_decorated() || !WITHOUT_COLON.contains(&word) || rest.starts_with(continues_word) {
        return None;
    }
    let rest = rest.trim_start_matches(is_blank);
    let rest = rest.strip_prefix(['-', ',', '，']).unwrap_or(rest);
    Some(Marker::Conclusion { is_clear: false, content: Content { rest, close: None } })
}

/// What follows on a line that says nothing more.
fn alone(text: &str) -> Option<&str> {
    let end = text.find('\n').unwrap_or(text.len());
    let (line, rest) = text.split_at(end);
    line.chars().all(|c| matches!(c, '*' | '_' | '#' | '】') || is_sign(c)).then_some(rest)
}

fn rest_of_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default().trim()
}

/// The number in a circle that a text begins with, up to 20.
fn circled(text: &str) -> Option<(StepNumber, &str)> {
    let sign = text.chars().next().filter(|c| ('①'..='⑳').contains(c))?;
    let number = u64::from(u32::from(sign) - u32::from('①')) + 1;
    Some((number.into(), text.get(sign.len_utf8()..)?))
}
