//! Quoted texts, and the likely end of one without a closing quote.

use memchr::{memchr, memchr2};

use super::{head, parser::Parser, stand_in};
use crate::{
    diagnostic::Code,
    lex::{BULLET, OPEN, Postfix, ends_word},
    position::Position,
};

/// Pairs of quotes that replace those of the format.
const PAIRS: [(&str, &str); 7] =
    [("“", "”"), ("『", "』"), ("｢", "｣"), ("«", "»"), ("<<", ">>"), ("```", "```"), ("„", "“")];

impl Parser<'_> {
    /// Parses a text between regular quotes; the cursor is at the opening quote.
    pub(super) fn quoted(&mut self, position: Position) -> String {
        let start = self.cursor.at + 1;
        let close = self.closing_quote(start);
        let Some(end) =
            close.filter(|close| self.open.is_empty() || self.can_follow_text(close + 1))
        else {
            return self.misquoted(start, close, position);
        };
        self.take_quoted(start, end, position)
    }

    /// Parses a text whose next quote does not close it, or that has no closing quote.
    fn misquoted(&mut self, start: usize, close: Option<usize>, position: Position) -> String {
        let text = self.cursor.text;
        let same_line = |close: &usize| memchr(b'\n', &text.as_bytes()[start..*close]).is_none();
        if let Some(close) = close.filter(same_line) {
            let Some(later) = self.later_quote(close) else {
                return self.take_quoted(start, close, position);
            };
            let message = "write `\\\"` for a quote within a text, or put the text between `「」`";
            self.findings.add(Code::UnescapedQuote, position, message);
            return self.take_quoted(start, later, position);
        }
        self.findings.add(Code::UnclosedString, position, "the text has no closing quote");
        let end = self.likely_end(start);
        let taken = self.take_quoted(start, end, position);
        self.cursor.at = end;
        taken
    }

    fn take_quoted(&mut self, start: usize, end: usize, position: Position) -> String {
        self.cursor.at = (end + 1).min(self.cursor.text.len());
        let raw = &self.cursor.text[start..end];
        if memchr(b'\\', raw.as_bytes()).is_none() {
            return raw.to_owned();
        }
        let (text, bad) = unescape(raw);
        if let Some(escape) = bad {
            let message = format!("`\\{escape}` is no escape; write `\\\\` for a backslash");
            self.findings.add(Code::BadEscape, position, message);
        }
        text
    }

    /// Finds the next quote that is not escaped.
    fn closing_quote(&mut self, start: usize) -> Option<usize> {
        // Any search that starts between the cached start and its result has the same result.
        if let Some(close) = self.quotes.close
            && start >= self.quotes.from
            && close.is_none_or(|close| start <= close)
        {
            return close;
        }
        let bytes = self.cursor.text.as_bytes();
        let mut at = start;
        let close = loop {
            let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) else {
                break None;
            };
            if bytes[at + found] == b'"' {
                break Some(at + found);
            }
            at += found + 2;
        };
        (self.quotes.from, self.quotes.close) = (start, Some(close));
        close
    }

    /// Returns whether the text at `at` can follow a quoted text.
    fn can_follow_text(&self, at: usize) -> bool {
        let at = self.cursor.after_blanks(at);
        let rest = &self.cursor.text[at..];
        let Some(c) = rest.chars().next() else { return true };
        if ends_word(c) {
            return !matches!(c, '{' | '[' | '"' | OPEN);
        }
        stand_in::separator(rest).is_some()
            || stand_in::arrow(rest).is_some()
            || stand_in::postfix(rest).is_some()
    }

    /// Finds a later quote on the same line that certainly closes the text. Those before belong to the
    /// text.
    fn later_quote(&mut self, close: usize) -> Option<usize> {
        if close < self.quotes.no_later_before {
            return None;
        }
        let text = self.cursor.text;
        let mut between = close + 1;
        let mut chars = text[close + 1..].char_indices();
        while let Some((i, c)) = chars.next() {
            let at = close + 1 + i;
            match c {
                '\\' => {
                    chars.next();
                }
                '"' if ends_key(&text[between..at]) => break,
                '"' if self.certainly_ends_text(at + 1) => return Some(at),
                '"' => between = at + 1,
                '\n' => break,
                _ if ends_word(c) && !c.is_whitespace() => break,
                _ => {}
            }
            self.quotes.no_later_before = at;
        }
        None
    }

    /// Returns whether the text at `at` certainly follows a quoted text.
    fn certainly_ends_text(&self, at: usize) -> bool {
        let at = self.cursor.after_blanks(at);
        let c = self.cursor.text[at..].chars().next();
        c.is_none_or(|c| matches!(c, '\n' | BULLET | '}' | ']') || Postfix::from_char(c).is_some())
    }

    /// Finds the likely end of an unclosed text: before the next operator, closing sign or entry.
    pub(super) fn likely_end(&self, start: usize) -> usize {
        let text = self.cursor.text;
        let stop = text[start..].char_indices().find(|&(i, c)| match c {
            BULLET => true,
            '\n' => self.ends_text_on_next_line(start + i + 1),
            _ => Postfix::from_char(c).is_some(),
        });
        let end = stop.map_or(text.len(), |(i, _)| start + i);
        let mut kept = text[start..end].trim_end();
        for _ in &self.open {
            kept = kept.strip_suffix(['}', ']']).unwrap_or(kept).trim_end();
        }
        start + kept.len()
    }

    fn ends_text_on_next_line(&self, at: usize) -> bool {
        let at = self.cursor.after_blanks(at);
        self.cursor.text[at..].starts_with(['}', ']'])
            || self.key_follows(at)
            || head(&self.cursor, at).is_some_and(|head| head.is_certain)
    }

    /// Returns the end of a key: before a replacement of `↦`, or at the end of the word.
    pub(super) fn key_end(&self, start: usize) -> usize {
        let end = |(i, c): &(usize, char)| {
            let is_arrow = || *i > 0 && stand_in::arrow(&self.cursor.text[start + i..]).is_some();
            ends_word(*c) || matches!(c, ',' | ';') || is_arrow()
        };
        let mut chars = self.cursor.text[start..].char_indices();
        chars.find(end).map_or(self.cursor.text.len(), |(i, _)| start + i)
    }

    /// Returns whether a key with an arrow after it begins at `at`.
    pub(super) fn key_follows(&self, at: usize) -> bool {
        let end = self.key_end(at);
        let after = self.cursor.after_blanks(end);
        let rest = &self.cursor.text[after..];
        let is_stand_in = || (after > end || self.is_ascii) && stand_in::arrow(rest).is_some();
        end > at && (rest.starts_with('↦') || is_stand_in())
    }

    /// Parses a text between quotes that replace those of the format.
    pub(super) fn stand_in_quotes(&mut self, position: Position) -> Option<String> {
        let rest = self.cursor.rest();
        if rest.starts_with('\'') || (rest.starts_with('`') && !rest.starts_with("```")) {
            return self.single_quotes(position);
        }
        let (index, (open, close)) =
            PAIRS.iter().enumerate().find(|(_, (open, _))| rest.starts_with(open))?;
        let start = open.len();
        if self.quotes.absent & (1 << index) != 0 {
            return None;
        }
        let Some(length) = rest[start..].find(close) else {
            self.quotes.absent |= 1 << index;
            return None;
        };
        let text = &rest[start..start + length];
        let message = format!("write `「…」` for `{open}…{close}`");
        self.findings.add(Code::StandIn, position, message);
        self.cursor.at += start + length + close.len();
        Some(text.to_owned())
    }
}

impl Parser<'_> {
    /// Parses a text between single quotes or backticks. Returns `None` if it can be a word that begins
    /// with one.
    fn single_quotes(&mut self, position: Position) -> Option<String> {
        let rest = self.cursor.rest();
        let (quote, inner) = rest.split_at(1);
        let length = inner.find(|c| c == '\n' || quote.starts_with(c))?;
        let text = &inner[..length];
        let after = self.cursor.at + length + 2;
        if inner[length..].starts_with('\n') || !self.can_follow_text(after) {
            return None;
        }
        let next = &self.cursor.text[self.cursor.after_blanks(after)..];
        let is_key = stand_in::arrow(next).is_some();
        if !self.is_ascii && !is_key && !text.contains(char::is_whitespace) {
            return None;
        }
        let text = text.to_owned();
        let message = format!("write `\"` for `{quote}`");
        self.findings.add(Code::StandIn, position, message);
        self.cursor.at = after;
        Some(text)
    }
}

/// Returns whether a text ends with a key and its arrow, so that the next quote begins the value.
fn ends_key(text: &str) -> bool {
    text.trim_end().ends_with([':', '=', '>'])
}

/// Resolves the escapes of a quoted text. Also returns the first unknown escape; unknown escapes are
/// kept.
fn unescape(raw: &str) -> (String, Option<char>) {
    let mut text = String::with_capacity(raw.len());
    let mut bad = None;
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut chars = after.chars();
        let Some(escape) = chars.next() else {
            rest = "\\";
            break;
        };
        if let Some((c, length)) = escaped(escape, chars.as_str()) {
            text.extend(c);
            rest = &chars.as_str()[length..];
        } else {
            bad.get_or_insert(escape);
            text.push('\\');
            text.push(escape);
            rest = chars.as_str();
        }
    }
    text.push_str(rest);
    (text, bad)
}

/// Decodes an escape: its character (`None` for a line continuation), and the bytes it takes after its
/// letter.
fn escaped(escape: char, rest: &str) -> Option<(Option<char>, usize)> {
    let c = match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' if !rest.starts_with(|c: char| c.is_ascii_digit()) => '\0',
        '"' | '\\' | '/' | '\'' => escape,
        '\n' => return Some((None, 0)),
        'x' => return Some((char::from_u32(hex(rest.get(..2)?)?), 2)),
        'u' => return unicode(rest),
        _ => return None,
    };
    Some((Some(c), 0))
}

fn unicode(rest: &str) -> Option<(Option<char>, usize)> {
    if let Some(braced) = rest.strip_prefix('{') {
        let length = braced.bytes().take(7).position(|byte| byte == b'}')?;
        let c = char::from_u32(hex(&braced[..length])?)?;
        return Some((Some(c), length + 2));
    }
    let unit = hex(rest.get(..4)?)?;
    if let Some(c) = char::from_u32(unit) {
        return Some((Some(c), 4));
    }
    let low = hex(rest.get(4..)?.strip_prefix("\\u")?.get(..4)?)?;
    let is_pair = (0xd800..0xdc00).contains(&unit) && (0xdc00..0xe000).contains(&low);
    let code = is_pair.then(|| 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))?;
    Some((char::from_u32(code), 10))
}

fn hex(digits: &str) -> Option<u32> {
    let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}
