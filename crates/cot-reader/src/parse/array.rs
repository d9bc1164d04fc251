//! Parses lists: arrays, tuples and sets.

use cot_schema::internal::PathSegment;
use serde_json::Value;

use super::{
    ahead::WIDE,
    cursor::{Bracket, Parse, Parser},
};
use crate::repair::catalogue::RepairKind;

/// The previous token in a list or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PreviousToken {
    Opener,
    Comma,
    Value,
}

/// The issue of a list with an ambiguous number of strings.
const ENDS: &str = "it is not clear where a text of this list ends; put each in quotes";

/// The strings of a list that were parsed so far.
#[derive(Default)]
struct Texts {
    has_quoted: bool,
    /// The number of strings without an opening quote.
    bare: usize,
    /// Whether the last string had non-standard quotes or none.
    is_last_odd: bool,
    is_last_bare: bool,
}

impl Parser<'_, '_> {
    /// Parses the array at the cursor.
    pub(super) fn array(&mut self) -> Parse<Value> {
        self.enter(Bracket::List)?;
        self.items(Bracket::List, Vec::new(), PreviousToken::Opener)
    }

    /// Parses the tuple at the cursor.
    pub(super) fn tuple(&mut self) -> Parse<Value> {
        self.add_repair(RepairKind::Tuple);
        self.enter(Bracket::Tuple)?;
        let start = self.at;
        let is_quoted = self.quote_at(self.next_token(start)).is_some();
        let value = self.items(Bracket::Tuple, Vec::new(), PreviousToken::Opener)?;
        // Parentheses around a single value without a comma are not a tuple.
        let inside = self.slice(start, self.at).trim_end_matches([')', ' ', '\n', '\r', '\t']);
        match value {
            Value::Array(items)
                if items.len() == 1
                    && items.iter().all(Value::is_string)
                    && !is_quoted
                    && !self.is_incomplete =>
            {
                self.refused("it is not clear where this text begins; put it in quotes")
            }
            Value::Array(items) if items.len() == 1 && !inside.ends_with(',') => {
                Ok(items.into_iter().next().unwrap_or_default())
            }
            value => Ok(value),
        }
    }

    /// Parses items up to the closing bracket and skips it.
    pub(super) fn items(
        &mut self,
        bracket: Bracket,
        mut items: Vec<Value>,
        mut last: PreviousToken,
    ) -> Parse<Value> {
        let mut texts = Texts::default();
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else {
                self.check_texts(&texts)?;
                self.end_within(bracket, last);
                return Ok(Value::Array(items));
            };
            let byte = self.wide_at(self.at).unwrap_or(byte);
            match byte {
                _ if byte == bracket.closer() => {
                    self.check_texts(&texts)?;
                    self.note_trailing(last);
                    self.leave();
                    return Ok(Value::Array(items));
                }
                b'}' | b']' | b')' => {
                    if self.close_mismatched(bracket, byte) {
                        self.check_texts(&texts)?;
                        return Ok(Value::Array(items));
                    }
                }
                b',' if self.is_in_number() => {
                    return self.refused(
                        "it is not clear whether a comma is within a number; write digits alone",
                    );
                }
                b',' | b';' => last = self.skip_comma(last),
                b':' => return self.malformed("expected a comma, not a colon in a list"),
                _ if self.is_ellipsis(self.at) => self.skip_ellipsis(),
                _ if last == PreviousToken::Comma && self.is_key_of_outer() => {
                    self.check_texts(&texts)?;
                    self.leave_unclosed(bracket);
                    return Ok(Value::Array(items));
                }
                _ => {
                    if last == PreviousToken::Value {
                        let is_quoted = self.opening().is_some();
                        let is_bare = !is_quoted
                            && !matches!(byte, b'{' | b'[' | b'(')
                            && !self.is_item(self.at);
                        if (is_bare || texts.is_last_bare && is_quoted) && !self.is_incomplete {
                            return self.refused(ENDS);
                        }
                        self.add_repair(RepairKind::MissingComma);
                    }
                    self.item(&mut items, &mut texts)?;
                    last = PreviousToken::Value;
                }
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Value>, texts: &mut Texts) -> Parse<()> {
        let is_quoted = self.opening().is_some();
        let is_nested = matches!(self.peek(), Some(b'{' | b'[' | b'('));
        self.is_after_odd_item = texts.is_last_odd && !is_nested;
        let (start, cost) = (self.at, self.repairs.cost());
        let (_, value) = self.inside(PathSegment::Index(items.len()), Self::value)?;
        self.is_after_odd_item = false;
        let is_text = matches!(value, Some(Value::String(_)));
        let is_number = matches!(value, Some(Value::Number(_)));
        let is_half = self.slice(start, self.at).ends_with(['"', '\'']);
        if (is_text || is_half) && !is_quoted && !self.is_incomplete && is_cut_number(self, start) {
            return self.refused(ENDS);
        }
        texts.is_last_odd = is_number || is_text && self.repairs.cost() > cost;
        texts.is_last_bare = is_text && !is_quoted;
        texts.has_quoted |= is_text && is_quoted;
        texts.bare += usize::from(is_text && !is_quoted);
        items.extend(value);
        Ok(())
    }

    /// Returns whether a field of the object around a list is at the cursor: the closing bracket is missing.
    fn is_key_of_outer(&self) -> bool {
        let outer = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        outer == Some(&Bracket::Object)
            && self.open.last() == Some(&Bracket::List)
            && !self.is_incomplete
            && self.quoted_key_at(self.at)
            && self.quoted_end(self.at).is_some_and(|end| end > self.at + 2)
    }

    /// Returns whether brackets are closed after the fence at the cursor, so that it does not end the JSON.
    fn goes_on_after_fence(&self) -> bool {
        let rest = self.rest(self.at).trim_end().trim_end_matches(['`', '~']).trim_end();
        rest.ends_with(['}', ']'])
    }

    /// Returns whether the comma at the cursor is between digits, ignoring characters without width.
    fn is_in_number(&self) -> bool {
        let after = self.rest(self.at + 1);
        let digits = after.trim_start_matches(super::comment::is_mark);
        self.at.checked_sub(1).and_then(|at| self.byte(at)).is_some_and(|b| b.is_ascii_digit())
            && digits.len() < after.len()
            && digits.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Rejects a list in which an unquoted string may have been split at its commas.
    fn check_texts(&self, texts: &Texts) -> Parse<()> {
        match texts.has_quoted && texts.bare > 1 && !self.is_incomplete {
            true => self.refused(ENDS),
            false => Ok(()),
        }
    }

    /// Skips a comma and records a repair if it is excess or non-standard.
    pub(super) fn skip_comma(&mut self, last: PreviousToken) -> PreviousToken {
        let width = self.wide_at(self.at).map_or(1, |_| WIDE);
        if width == WIDE {
            self.add_repair(RepairKind::WideComma);
        }
        match last {
            PreviousToken::Value if self.byte(self.at) == Some(b';') => {
                self.add_repair(RepairKind::Semicolon);
            }
            PreviousToken::Value => {}
            PreviousToken::Opener | PreviousToken::Comma => self.add_repair(RepairKind::ExtraComma),
        }
        self.at += width;
        PreviousToken::Comma
    }

    pub(super) fn note_trailing(&mut self, last: PreviousToken) {
        if last == PreviousToken::Comma {
            self.add_repair(RepairKind::TrailingComma);
        }
    }

    /// Skips an ellipsis and records the loss of the omitted items.
    pub(super) fn skip_ellipsis(&mut self) {
        self.add_repair(RepairKind::LeftOut);
        let dots = self.rest(self.at).trim_start_matches(['.', '…']).len();
        self.at = self.text.len() - dots;
    }

    /// Closes a bracket at the end of the text.
    pub(super) fn end_within(&mut self, bracket: Bracket, last: PreviousToken) {
        // Without a closing bracket, a list may lack items, unless a fence follows.
        let is_list = bracket != Bracket::Object && self.byte(self.at).is_none();
        if last == PreviousToken::Comma || is_list || self.goes_on_after_fence() {
            self.mark_cut();
        }
        if last == PreviousToken::Comma {
            self.add_repair(RepairKind::TrailingComma);
        }
        self.leave_unclosed(bracket);
    }
}

/// Returns whether the unquoted text from a position to the cursor begins or ends at a comma between digits, which
/// may be within a number: `$1,299`.
fn is_cut_number(parser: &Parser<'_, '_>, start: usize) -> bool {
    let is_digit = |at: usize| parser.byte(at).is_some_and(|byte| byte.is_ascii_digit());
    let is_between = |comma: usize| {
        parser.byte(comma) == Some(b',') && comma > 0 && is_digit(comma - 1) && is_digit(comma + 1)
    };
    // Digits alone are a code.
    let is_code = parser.slice(start, parser.at).bytes().all(|byte| byte.is_ascii_digit());
    !is_code && (is_between(parser.at) || start > 0 && is_between(start - 1))
}
