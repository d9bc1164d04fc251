//! Decides by the first characters whether a bracket opens JSON.

use std::ops::Range;

use cot_schema::internal::truncate;

use crate::parse::{self, fuel::Fuel, parsed::ParsedValue};

/// The likelihood that a bracket opens JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likelihood {
    /// The bracket opens JSON.
    Meant,
    /// The bracket may open JSON or be part of prose.
    Maybe,
    /// The bracket does not open JSON.
    No,
}

/// Maximum look-ahead, in bytes.
const MAX_LOOK: usize = 400;

/// Classifies the bracket at the start of a text.
pub(super) fn classify(text: &str) -> Likelihood {
    let text = truncate(text, MAX_LOOK);
    match text.bytes().next() {
        Some(b'{') => object(text.get(1..).unwrap_or_default()),
        Some(b'[') => array(text.get(1..).unwrap_or_default()),
        _ => Likelihood::No,
    }
}

fn object(inside: &str) -> Likelihood {
    let inside = after_blank(inside);
    if inside.is_empty() {
        return Likelihood::Maybe;
    }
    let is_meant = inside.starts_with('}') || starts_member(inside);
    let is_doubled =
        || inside.strip_prefix('{').is_some_and(|inside| starts_member(after_blank(inside)));
    match is_meant || is_doubled() {
        true => Likelihood::Meant,
        false => Likelihood::No,
    }
}

/// Maximum number of consecutive brackets that are inspected.
const MAX_ROW: usize = 8;

fn array(inside: &str) -> Likelihood {
    let mut inside = after_blank(inside);
    let mut row = 1;
    while let Some(inner) = inside.strip_prefix('[') {
        if row == MAX_ROW {
            return Likelihood::Meant;
        }
        row += 1;
        inside = after_blank(inner);
    }
    match inside.chars().next() {
        Some('{') => object(inside.get(1..).unwrap_or_default()),
        Some(c) if is_quote(c) => Likelihood::Meant,
        Some('0'..='9' | '-' | ']' | '(') if row > 1 => Likelihood::Meant,
        Some('0'..='9' | '-' | ']' | '(') => Likelihood::Maybe,
        Some(_) if starts_literal(inside) => Likelihood::Maybe,
        _ => Likelihood::No,
    }
}

/// Returns whether a text starts like a member of an object: `"key`, `'key` or `key:`.
fn starts_member(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
    let after_word = text.trim_start_matches(word);
    text.starts_with(is_quote)
        || text.starts_with("\\\"")
        || text.starts_with("\\n")
        || after_word.len() < text.len()
            && (after_word.trim_ascii_start().starts_with(':') || after_word.starts_with("\":"))
}

fn starts_literal(text: &str) -> bool {
    ["true", "false", "null", "True", "False", "None"].iter().any(|word| text.starts_with(word))
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '`' | '„')
}

/// Skips blanks, comments and byte-order marks.
fn after_blank(text: &str) -> &str {
    let is_blank = |c: char| c.is_whitespace() || is_mark(c);
    let mut text = text.trim_start_matches(is_blank);
    loop {
        let rest = if text.starts_with("//") || text.starts_with("# ") {
            text.split_once('\n').map(|(_, rest)| rest)
        } else {
            text.strip_prefix("/*").and_then(|text| text.split_once("*/")).map(|(_, rest)| rest)
        };
        match rest {
            Some(rest) => text = rest.trim_start_matches(is_blank),
            None => return text,
        }
    }
}

/// Returns whether a character has no width.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether brackets in prose are a citation or a check box: `[1]`, `[ ]`.
pub(super) fn is_citation(text: &str) -> bool {
    let number = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    number.is_some_and(|number| {
        number == " "
            || (1..4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Returns the content of a text that consists of one fenced code block.
pub(super) fn unfenced(text: &str, whole: &Range<usize>) -> Option<Range<usize>> {
    let all = text.get(whole.clone())?;
    let mark = if all.starts_with("```") { '`' } else { '~' };
    let inside = all.trim_start_matches(mark);
    let width = all.len() - inside.len();
    let content = inside.strip_suffix(mark)?.trim_end_matches(mark);
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
    let body = content.trim_start_matches(word);
    // A word that is not followed by a blank is content, not the name of a language.
    let body = if body.starts_with(char::is_whitespace) { body } else { content };
    let start = whole.start + width + (content.len() - body.len());
    let blank = body.len() - body.trim_start().len();
    let fence = if mark == '`' { "```" } else { "~~~" };
    let length = body.trim().len();
    (width >= 3 && length > 0 && !body.contains(fence))
        .then(|| start + blank..start + blank + length)
}

/// Returns whether a text in parentheses is a tuple rather than a remark.
pub(super) fn is_tuple(text: &str) -> bool {
    let inside = text.trim_start_matches(['(', ' ']);
    let item = inside.starts_with(is_quote)
        || inside.starts_with(['{', '[', '-'])
        || inside.starts_with(|c: char| c.is_ascii_digit())
        || starts_literal(inside);
    item && text.trim_end().ends_with(')') && inside.contains(',')
}

/// Parses a tuple that spans the whole range.
pub(super) fn tuple(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<ParsedValue>> {
    let text = text.get(..whole.end)?;
    let lenient = parse::lenient(text, whole.start, fuel).ok()?;
    (lenient.end == whole.end).then_some(lenient.readings)
}
