//! Values with marks of other languages around them: a prefix, a call, quotes of HTML.

use cot_schema::internal::cut_text;
use serde_json::Value;

use super::cursor::{Bracket, Parse, Parser};
use crate::repair::catalogue::RepairKind;

/// A quote as HTML writes it.
const QUOT: &str = "&quot;";

impl Parser<'_, '_> {
    /// `u"…"`, `b'…'` and the like: a string of Python.
    pub(super) fn prefixed(&mut self) -> Parse<Option<Value>> {
        let is_prefix =
            matches!(self.byte(self.at), Some(b'b' | b'r' | b'u' | b'f' | b'B' | b'R' | b'U'))
                && matches!(self.byte(self.at + 1), Some(b'"' | b'\''))
                && (!self.is_before_end(self.at + 2) || self.is_empty_string(self.at + 1));
        if !is_prefix {
            return Ok(None);
        }
        self.at += 1;
        let Some(quote) = self.opening() else { return Ok(None) };
        self.mend(RepairKind::StringPrefix);
        self.string(quote).map(Some)
    }

    /// `&quot;…&quot;`: a text in quotes of HTML.
    pub(super) fn html_quoted(&mut self) -> Option<Value> {
        let inside = self.rest(self.at).strip_prefix(QUOT)?;
        let length = cut_text(inside, 1000).find(['"', '\n', '&'])?;
        self.fuel.burn(length);
        let after = self.at + QUOT.len() + length + QUOT.len();
        let is_whole = inside.get(length..)?.starts_with(QUOT)
            && matches!(self.peek_at(self.skipped(after)), None | Some(b',' | b'}' | b']'));
        if !is_whole {
            return None;
        }
        self.mend(RepairKind::HtmlQuotes);
        self.at = after;
        inside.get(..length).map(Value::from)
    }

    /// Whether nothing but blanks stands between a place and what ends a value.
    fn is_before_end(&self, at: usize) -> bool {
        let next = at + self.blank_length(at);
        matches!(self.peek_at(next), None | Some(b',' | b'}' | b']' | b'\n' | b'\r'))
    }

    /// Whether two quotes with nothing between them are at a place.
    fn is_empty_string(&self, at: usize) -> bool {
        self.byte(at) == self.byte(at + 1)
            && matches!(self.peek_at(self.skipped(at + 2)), Some(b',' | b'}' | b']'))
    }

    /// `ObjectId("…")`, `NumberLong(2)`: what is in the brackets. The outer nothing says that it is no
    /// call, the inner one that the text ends within it.
    pub(super) fn call(&mut self) -> Parse<Option<Option<Value>>> {
        let start = self.at;
        let Some(open) = self.call_bracket(start) else { return Ok(None) };
        let name = self.slice(start, open).trim_ascii_end();
        self.at = open;
        self.enter(Bracket::Tuple)?;
        self.skip();
        let value = self.value()?;
        self.skip();
        match self.peek() {
            Some(b')') => self.leave(),
            None => self.leave_unclosed(Bracket::Tuple),
            Some(_) => return self.malformed("expected `)`"),
        }
        self.mend(RepairKind::Call.about(cut_text(name, 40)));
        Ok(Some(value))
    }

    /// The bracket of a call with a string or a number in it.
    pub(super) fn call_bracket(&self, start: usize) -> Option<usize> {
        let is_name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | ' ');
        let rest = self.rest(start);
        let length: usize = rest.chars().take(48).take_while(is_name).map(char::len_utf8).sum();
        let open = start + length;
        let name = self.slice(start, open);
        let is_call = self.byte(open) == Some(b'(')
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (!name.contains(' ') || name.starts_with("new "));
        let inside = self.skipped(open + 1);
        let is_quoted = self.quote_at(inside).is_some();
        let is_number = || {
            let digits =
                self.rest(inside).trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            digits.len() < self.rest(inside).len() && digits.starts_with(')')
        };
        (is_call && (is_quoted || is_number())).then_some(open)
    }
}
