//! Parses values in notations of other languages: string prefixes, calls, HTML quotes.

use cot_schema::internal::truncate;
use serde_json::Value;

use super::{
    cursor::{Bracket, Parse, Parser},
    literal::is_prefix,
};
use crate::repair::catalogue::RepairKind;

/// The HTML entity of a quote.
const QUOT: &str = "&quot;";

impl Parser<'_, '_> {
    /// Parses a Python string with a prefix, such as `u"…"` or `b'…'`.
    pub(super) fn prefixed(&mut self) -> Parse<Option<Value>> {
        let quote = self.at + 1;
        let is_text = self.quoted_item_at(quote)
            || !self.is_before_end(quote + 1)
            || self.is_empty_string(quote);
        if !is_prefix(self.rest(self.at)) || !is_text {
            return Ok(None);
        }
        self.at += 1;
        let Some(quote) = self.opening() else { return Ok(None) };
        self.add_repair(RepairKind::StringPrefix);
        self.string(quote).map(Some)
    }

    /// Parses a string in HTML quotes: `&quot;…&quot;`.
    pub(super) fn html_quoted(&mut self) -> Option<Value> {
        let inside = self.rest(self.at).strip_prefix(QUOT)?;
        let length = truncate(inside, 1000).find(['"', '\n', '&'])?;
        self.fuel.burn(length);
        let after = self.at + QUOT.len() + length + QUOT.len();
        let is_whole = inside.get(length..)?.starts_with(QUOT)
            && matches!(self.peek_at(self.next_token(after)), None | Some(b',' | b'}' | b']'));
        if !is_whole {
            return None;
        }
        self.add_repair(RepairKind::HtmlQuotes);
        self.at = after;
        inside.get(..length).map(Value::from)
    }

    /// Returns whether a value ends at a position, after optional blanks.
    fn is_before_end(&self, at: usize) -> bool {
        let next = at + self.blank_length(at);
        matches!(self.peek_at(next), None | Some(b',' | b'}' | b']' | b'\n' | b'\r'))
    }

    /// Returns whether an empty string is at a position.
    fn is_empty_string(&self, at: usize) -> bool {
        self.byte(at) == self.byte(at + 1)
            && matches!(self.peek_at(self.next_token(at + 2)), Some(b',' | b'}' | b']'))
    }

    /// Parses a call such as `ObjectId("…")` or `NumberLong(2)` and returns its argument.
    ///
    /// Returns `None` if there is no call at the cursor, and `Some(None)` if the text ends within it.
    pub(super) fn call(&mut self) -> Parse<Option<Option<Value>>> {
        let start = self.at;
        let Some(open) = self.call_bracket(start) else { return Ok(None) };
        let name = self.slice(start, open).trim_ascii_end();
        self.at = open;
        self.enter(Bracket::Tuple)?;
        self.skip_blanks();
        let value = self.value()?;
        self.skip_blanks();
        match self.peek() {
            Some(b')') => self.leave(),
            None => self.leave_unclosed(Bracket::Tuple),
            Some(_) => return self.malformed("expected `)`"),
        }
        self.add_repair(RepairKind::Call.with_subject(truncate(name, 40)));
        Ok(Some(value))
    }

    /// Returns the position of the opening parenthesis of a call with a string or number as its argument.
    pub(super) fn call_bracket(&self, start: usize) -> Option<usize> {
        let is_name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | ' ');
        let rest = self.rest(start);
        let length: usize = rest.chars().take(48).take_while(is_name).map(char::len_utf8).sum();
        let open = start + length;
        let name = self.slice(start, open);
        let is_call = self.byte(open) == Some(b'(')
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (!name.contains(' ') || name.starts_with("new "));
        let inside = self.next_token(open + 1);
        let is_quoted = self.quote_at(inside).is_some();
        let is_number = || {
            let digits =
                self.rest(inside).trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            digits.len() < self.rest(inside).len() && digits.starts_with(')')
        };
        (is_call && (is_quoted || is_number())).then_some(open)
    }
}
