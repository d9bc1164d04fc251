//! Objects and arrays.

use super::{head, parser::Parser, stand_in};
use crate::{
    block::BlockKind,
    diagnostic::Code,
    lex::{ARROW, BULLET, CLOSE, OPEN, Postfix},
    position::Position,
    value::{Entry, Expr, MAX_DEPTH, Object, Value},
};

impl Parser<'_> {
    pub(super) fn object(&mut self, start: Position) -> Value {
        self.cursor.skip();
        self.open.push('{');
        let mut object = Object::default();
        while self.advance_to_item('}', start) {
            object.entries.extend(self.entry());
            self.separator();
        }
        self.open.pop();
        Value::Object(object)
    }

    pub(super) fn array(&mut self, start: Position) -> Value {
        self.cursor.skip();
        self.open.push('[');
        let mut items = Vec::new();
        while self.advance_to_item(']', start) {
            if self.cursor.eat(ARROW) {
                self.add(Code::Unexpected, "an array has no keys");
                continue;
            }
            items.push(self.expr());
            self.separator();
        }
        self.open.pop();
        Value::Array(items)
    }

    /// Skips to the next entry or item and returns true, or skips the closing sign and returns false.
    fn advance_to_item(&mut self, close: char, start: Position) -> bool {
        loop {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(c) if c == close => {
                    self.cursor.skip();
                    return false;
                }
                None => return self.unclosed(start),
                Some(c @ ('}' | ']' | CLOSE)) => {
                    let opener = if c == '}' { '{' } else { '[' };
                    if c != CLOSE && self.open.contains(&opener) {
                        return self.unclosed(start);
                    }
                    self.add(Code::UnmatchedClose, format!("`{c}` closes nothing"));
                    self.cursor.skip();
                }
                Some(BULLET) => {
                    self.add(Code::Unexpected, "there is nothing before `•`");
                    self.cursor.skip();
                }
                Some(',' | ';') if self.is_ascii => self.cursor.skip(),
                Some(_) if self.is_at_next_structure() => return self.unclosed(start),
                Some(_) => return true,
            }
        }
    }

    fn unclosed(&mut self, start: Position) -> bool {
        if self.open.last() == Some(&'[') {
            self.findings.add(Code::UnclosedArray, start, "the array has no `]`");
        } else {
            self.findings.add(Code::UnclosedObject, start, "the object has no `}`");
        }
        false
    }

    /// Returns whether the next structure begins here, so that the open objects and arrays are
    /// unclosed.
    fn is_at_next_structure(&self) -> bool {
        head(&self.cursor, self.cursor.at)
            .is_some_and(|head| head.is_certain && head.kind != BlockKind::Todo)
    }

    /// Returns whether the next line certainly begins a structure.
    fn structure_follows(&self) -> bool {
        let next = self.cursor.after_blanks(self.cursor.at + 1);
        head(&self.cursor, next).is_some_and(|head| head.is_certain)
    }

    /// Parses an entry. A value without a key has an empty one.
    fn entry(&mut self) -> Option<Entry> {
        let position = self.cursor.position();
        let Some(key) = self.key(position) else {
            self.add(Code::Unexpected, "an entry begins with a key");
            self.cursor.eat(ARROW);
            let expr = self.expr();
            let is_value = !matches!(expr.value, Value::Null);
            return is_value.then(|| Entry { key: String::new(), position, expr });
        };
        let expr = if self.arrow(&key) { self.expr() } else { Expr::at(Value::Null, position) };
        Some(Entry { key, position, expr })
    }

    fn key(&mut self, position: Position) -> Option<String> {
        match self.cursor.peek()? {
            '"' => return Some(self.quoted(position)),
            OPEN => return Some(self.special(position)),
            '{' | '[' | ARROW => return None,
            c if Postfix::from_char(c).is_some() => return None,
            _ => {}
        }
        if let Some(key) = self.stand_in_quotes(position) {
            return Some(key);
        }
        let start = self.cursor.at;
        let end = if self.is_ascii { self.key_end(start) } else { self.cursor.word_end(start) };
        self.cursor.at = end;
        self.cursor.skip_space();
        let word = &self.cursor.text[start..end];
        if !self.cursor.starts_with("↦")
            && let Some(split) = stand_in::arrow_within(word)
        {
            self.cursor.at = start + split;
            return Some(word[..split].to_owned());
        }
        self.cursor.at = end;
        Some(word.to_owned())
    }

    /// Skips `↦` or a sign that replaces it. Returns whether a value follows.
    fn arrow(&mut self, key: &str) -> bool {
        let before = self.cursor.at;
        self.cursor.skip_space();
        if self.cursor.eat(ARROW) {
            return true;
        }
        if let Some(length) = stand_in::arrow(self.cursor.rest()) {
            let sign = &self.cursor.rest()[..length];
            self.add(Code::StandIn, format!("write `↦` for `{sign}`"));
            self.is_ascii = true;
            self.cursor.at += length;
            return true;
        }
        let key = super::super::diagnostic::quote_excerpt(key);
        self.add(Code::MissingArrow, format!("there is no `↦` after the key {key}"));
        let is_same_line = !self.cursor.text[before..self.cursor.at].contains('\n');
        is_same_line && !matches!(self.cursor.peek(), None | Some('}' | ']' | BULLET | CLOSE))
    }

    /// Skips the separator of entries or items; reports a missing or replaced one.
    fn separator(&mut self) {
        self.cursor.skip_space();
        match self.cursor.peek() {
            None | Some('}' | ']' | CLOSE) => {}
            Some(BULLET) => self.cursor.skip(),
            Some(_) if self.is_at_next_structure() => {}
            Some(_) => {
                if let Some(length) = stand_in::separator(self.cursor.rest()) {
                    let sign = &self.cursor.rest()[..length];
                    self.add(Code::StandIn, format!("write `•` for `{sign}`"));
                    self.cursor.at += length;
                } else {
                    self.add(Code::MissingSeparator, "there is no `•` before this");
                }
            }
        }
    }

    /// Skips an object or array beyond the depth limit and reports it.
    pub(super) fn skip_nested(&mut self, start: Position) -> Value {
        let message = format!("objects and arrays go no deeper than {}", MAX_DEPTH);
        self.findings.add(Code::TooDeep, start, message);
        let mut depth = 0_usize;
        let mut is_quoted = false;
        let bytes = self.cursor.text.as_bytes();
        while let Some(byte) = bytes.get(self.cursor.at) {
            match byte {
                b'\\' if is_quoted => self.cursor.skip(),
                b'"' => is_quoted = !is_quoted,
                b'{' | b'[' if !is_quoted => depth += 1,
                b'}' | b']' if !is_quoted => depth -= 1,
                b'\n' if self.structure_follows() => break,
                _ if !is_quoted && self.cursor.peek() == Some(OPEN) => {
                    self.cursor.at = self.closing_special(self.cursor.at).unwrap_or(self.cursor.at);
                }
                _ => {}
            }
            self.cursor.skip();
            if depth == 0 {
                break;
            }
        }
        Value::Null
    }
}
