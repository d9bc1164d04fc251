//! Unquoted words.

use super::{parser::Parser, stand_in};
use crate::{
    diagnostic::Code,
    lex::{ARROW, BULLET, CLOSE, Postfix, ends_word},
    number::Number,
    position::Position,
    value::{Expr, Value},
};

impl Parser<'_> {
    /// Parses a word as a text, even if it could be read as another value.
    pub(super) fn plain_word(&mut self) -> Expr {
        let position = self.cursor.position();
        let start = self.cursor.at;
        self.cursor.at = self.cursor.word_end(start);
        let word = &self.cursor.text[start..self.cursor.at];
        Expr::at(Value::Text(word.to_owned()), position)
    }

    /// Parses an unquoted value.
    pub(super) fn word(&mut self, position: Position) -> Value {
        let start = self.cursor.at;
        let mut end = self.bare_end(start);
        if end == start {
            return self.no_value(position);
        }
        if self.comma_separates(start, end) {
            end -= 1;
        }
        let word_end = end;
        while let Some(next) = self.next_word(end) {
            end = next;
        }
        self.cursor.at = end;
        let text = &self.cursor.text[start..end];
        if self.open.is_empty() {
            // Between structures, only an unclosed replaced quote leads here.
            self.findings.add(Code::UnclosedString, position, "the text has no closing quote");
            return Value::Text(text.to_owned());
        }
        if end == word_end {
            return literal(text);
        }
        self.findings.add(Code::UnquotedText, position, "put a text with spaces between quotes");
        Value::Text(text.to_owned())
    }

    fn no_value(&mut self, position: Position) -> Value {
        match self.cursor.peek() {
            Some(c @ (ARROW | CLOSE)) => {
                let message = format!("`{c}` stands where a value is expected");
                self.findings.add(Code::Unexpected, position, message);
                self.cursor.skip();
            }
            _ => self.findings.add(Code::MissingValue, position, "a value is missing"),
        }
        Value::Null
    }

    /// Returns the end of a word; `,` and `;` end it in a structure with ASCII signs.
    pub(super) fn bare_end(&self, start: usize) -> usize {
        if self.is_ascii { self.cursor.part_end(start) } else { self.cursor.word_end(start) }
    }

    /// Returns whether the comma at the end of a word is a separator.
    fn comma_separates(&self, start: usize, end: usize) -> bool {
        let word = &self.cursor.text[start..end];
        if word.len() < 2 || !word.ends_with([',', ';']) {
            return false;
        }
        let blanks = self.cursor.after_blanks(end);
        let mut next = self.cursor.clone();
        next.at = blanks;
        next.skip_space();
        let is_array = self.open.last() == Some(&'[');
        match next.peek() {
            None | Some('}' | ']' | BULLET | ARROW | CLOSE) => false,
            Some(c) if Postfix::from_char(c).is_some() => false,
            Some(_) => is_array || next.at > blanks || self.key_follows(blanks),
        }
    }

    /// Returns the end of the next word if it belongs to the same text.
    fn next_word(&self, end: usize) -> Option<usize> {
        let start = self.cursor.after_blanks(end);
        let rest = &self.cursor.text[start..];
        let c = rest.chars().next()?;
        let is_sign = ends_word(c)
            || stand_in::separator(rest).is_some()
            || stand_in::postfix(rest).is_some();
        if start == end || is_sign || self.key_follows(start) {
            return None;
        }
        Some(self.bare_end(start))
    }
}

/// Interprets an unquoted word: a literal, a number or a text.
fn literal(word: &str) -> Value {
    match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        _ => match Number::parse(word) {
            Some(number) => Value::Number(number),
            None => Value::Text(word.to_owned()),
        },
    }
}
