//! Texts between special quotes (`「」`), which nest.

use memchr::{memchr, memchr_iter};

use super::{head, parser::Parser};
use crate::{
    diagnostic::Code,
    lex::{CLOSE, OPEN},
    position::Position,
};

/// The first UTF-8 byte of both quotes.
const LEAD: u8 = 0xe3;

impl Parser<'_> {
    /// Parses a text between special quotes; the cursor is at the opening quote.
    pub(super) fn special(&mut self, position: Position) -> String {
        let text = self.cursor.text;
        let open = self.cursor.at;
        let start = open + OPEN.len_utf8();
        if let Some(end) = self.closing_special(open) {
            self.cursor.at = end + CLOSE.len_utf8();
            return text[start..end].to_owned();
        }
        self.findings.add(Code::UnclosedString, position, "the text has no closing `」`");
        let limit = self.next_head(start);
        // Within an object, an unclosed quote would otherwise take the closing quote of a later text.
        let limit = if self.open.is_empty() { limit } else { self.likely_end(start).min(limit) };
        let inner = text[start..limit].trim_end();
        let length = if self.open.is_empty() { inner.rfind(CLOSE) } else { None };
        let kept = match length {
            Some(length) => &inner[..length],
            None => inner.strip_suffix(CLOSE).unwrap_or(inner),
        };
        let quote = length.map_or(0, |_| CLOSE.len_utf8());
        self.cursor.at = if quote > 0 { start + kept.len() + quote } else { limit };
        kept.to_owned()
    }

    /// Finds the closing quote that matches the opening quote at `open`.
    pub(super) fn closing_special(&mut self, open: usize) -> Option<usize> {
        if let Some(unclosed) = &self.specials.unclosed
            && unclosed.binary_search(&open).is_ok()
        {
            return None;
        }
        let mut depth = 0_usize;
        for (at, sign) in specials(&self.cursor.text[open..]) {
            depth = if sign == OPEN { depth + 1 } else { depth - 1 };
            if depth == 0 {
                return Some(open + at);
            }
        }
        self.specials.unclosed = Some(unclosed(self.cursor.text));
        None
    }

    /// Finds the start of the next structure that begins a line.
    fn next_head(&mut self, from: usize) -> usize {
        if let Some((start, head)) = self.specials.next_head
            && (start..=head).contains(&from)
        {
            return head;
        }
        let text = self.cursor.text;
        let mut at = from;
        let found = loop {
            let Some(line) = memchr(b'\n', &text.as_bytes()[at..]) else { break text.len() };
            at += line + 1;
            let begin = self.cursor.after_blanks(at);
            if head(&self.cursor, begin).is_some_and(|head| head.is_certain) {
                break begin;
            }
        };
        self.specials.next_head = Some((from, found));
        found
    }
}

/// Iterates over the special quotes of a text with their offsets.
pub(crate) fn specials(text: &str) -> impl Iterator<Item = (usize, char)> {
    let bytes = text.as_bytes();
    memchr_iter(LEAD, bytes).filter_map(move |at| match bytes.get(at + 1..at + 3)? {
        [0x80, 0x8c] => Some((at, OPEN)),
        [0x80, 0x8d] => Some((at, CLOSE)),
        _ => None,
    })
}

/// Returns the offsets of the unmatched opening quotes, in order.
fn unclosed(text: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, sign) in specials(text) {
        if sign == OPEN {
            open.push(at);
        } else {
            open.pop();
        }
    }
    open
}
