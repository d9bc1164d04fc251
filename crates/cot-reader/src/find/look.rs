//! What looks like JSON, seen from its first characters.

use std::ops::Range;

use cot_schema::internal::cut_text;

use crate::parse::{self, fuel::Fuel, parsed::Parsed};

/// How sure it is that a bracket opens JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// It was meant as JSON.
    Meant,
    /// It may be JSON, or a bracket in prose.
    Maybe,
    /// It is none.
    No,
}

/// How far is looked, in bytes.
const MAX_LOOK: usize = 400;

/// How the bracket at the start of a text looks.
pub(super) fn of(text: &str) -> Look {
    let text = cut_text(text, MAX_LOOK);
    match text.bytes().next() {
        Some(b'{') => object(text.get(1..).unwrap_or_default()),
        Some(b'[') => array(text.get(1..).unwrap_or_default()),
        _ => Look::No,
    }
}

fn object(inside: &str) -> Look {
    let inside = after_blank(inside);
    if inside.is_empty() {
        return Look::Maybe;
    }
    let is_meant = inside.starts_with('}') || starts_member(inside);
    let is_doubled =
        || inside.strip_prefix('{').is_some_and(|inside| starts_member(after_blank(inside)));
    match is_meant || is_doubled() {
        true => Look::Meant,
        false => Look::No,
    }
}

/// How many brackets in a row are looked into.
const MAX_ROW: usize = 8;

fn array(inside: &str) -> Look {
    let mut inside = after_blank(inside);
    let mut row = 1;
    while let Some(inner) = inside.strip_prefix('[') {
        if row == MAX_ROW {
            return Look::Meant;
        }
        row += 1;
        inside = after_blank(inner);
    }
    match inside.chars().next() {
        Some('{') => object(inside.get(1..).unwrap_or_default()),
        Some(c) if is_quote(c) => Look::Meant,
        Some('0'..='9' | '-' | ']' | '(') if row > 1 => Look::Meant,
        Some('0'..='9' | '-' | ']' | '(') => Look::Maybe,
        Some(_) if starts_literal(inside) => Look::Maybe,
        _ => Look::No,
    }
}

/// `"key`, `'key` and `key:` start members.
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

/// The text after blanks, comments and a byte-order mark.
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

/// Whether a character has no width, and no meaning in JSON.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}')
}

/// Whether brackets in prose are those of a citation or of a box to tick: `[1]`, `[ ]`.
pub(super) fn is_citation(text: &str) -> bool {
    let number = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    number.is_some_and(|number| {
        number == " "
            || (1..4).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// What is in the one fence that a text consists of.
pub(super) fn unfenced(text: &str, whole: &Range<usize>) -> Option<Range<usize>> {
    let all = text.get(whole.clone())?;
    let mark = if all.starts_with("```") { '`' } else { '~' };
    let inside = all.trim_start_matches(mark);
    let width = all.len() - inside.len();
    let content = inside.strip_suffix(mark)?.trim_end_matches(mark);
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+');
    let body = content.trim_start_matches(word);
    // A word that no blank follows is no name of a language, but the content.
    let body = if body.starts_with(char::is_whitespace) { body } else { content };
    let start = whole.start + width + (content.len() - body.len());
    let blank = body.len() - body.trim_start().len();
    let fence = if mark == '`' { "```" } else { "~~~" };
    let length = body.trim().len();
    (width >= 3 && length > 0 && !body.contains(fence))
        .then(|| start + blank..start + blank + length)
}

/// Whether a text starts as a tuple does, and no remark in brackets.
pub(super) fn is_tuple(text: &str) -> bool {
    let inside = text.trim_start_matches(['(', ' ']);
    let item = inside.starts_with(is_quote)
        || inside.starts_with(['{', '[', '-'])
        || inside.starts_with(|c: char| c.is_ascii_digit())
        || starts_literal(inside);
    item && text.trim_end().ends_with(')') && inside.contains(',')
}

/// The readings of a tuple that is all of a text.
pub(super) fn tuple(text: &str, whole: &Range<usize>, fuel: &Fuel) -> Option<Vec<Parsed>> {
    let text = text.get(..whole.end)?;
    let lenient = parse::lenient(text, whole.start, fuel).ok()?;
    (lenient.end == whole.end).then_some(lenient.readings)
}
