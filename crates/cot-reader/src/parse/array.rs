//! Lists: arrays, tuples and sets.

use cot_schema::internal::Step;
use serde_json::Value;

use super::{
    ahead::WIDE,
    cursor::{Bracket, Parse, Parser},
};
use crate::repair::catalogue::RepairKind;

/// What came last in a list or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Opener,
    Comma,
    Value,
}

/// The issue of texts whose number is ambiguous.
const ENDS: &str = "it is not clear where a text of this list ends; put each in quotes";

/// The texts of a list, as far as they were read.
#[derive(Default)]
struct Texts {
    has_quoted: bool,
    /// How many have no quotes before them.
    bare: usize,
    /// Whether the last one had other quotes than JSON wants, or none.
    is_last_odd: bool,
    is_last_bare: bool,
}

impl Parser<'_, '_> {
    /// Reads the array that starts here.
    pub(super) fn array(&mut self) -> Parse<Value> {
        self.enter(Bracket::List)?;
        self.items(Bracket::List, Vec::new(), Last::Opener)
    }

    /// Reads the tuple that starts here.
    pub(super) fn tuple(&mut self) -> Parse<Value> {
        self.mend(RepairKind::Tuple);
        self.enter(Bracket::Tuple)?;
        let start = self.at;
        let is_quoted = self.quote_at(self.skipped(start)).is_some();
        let value = self.items(Bracket::Tuple, Vec::new(), Last::Opener)?;
        // Brackets round one value that no comma follows are no tuple.
        let inside = self.slice(start, self.at).trim_end_matches([')', ' ', '\n', '\r', '\t']);
        match value {
            Value::Array(items)
                if items.len() == 1
                    && items.iter().all(Value::is_string)
                    && !is_quoted
                    && !self.is_coming =>
            {
                self.refused("it is not clear where this text begins; put it in quotes")
            }
            Value::Array(items) if items.len() == 1 && !inside.ends_with(',') => {
                Ok(items.into_iter().next().unwrap_or_default())
            }
            value => Ok(value),
        }
    }

    /// Reads items up to the closer, which is taken too.
    pub(super) fn items(
        &mut self,
        bracket: Bracket,
        mut items: Vec<Value>,
        mut last: Last,
    ) -> Parse<Value> {
        let mut texts = Texts::default();
        loop {
            self.skip();
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
                        return Ok(Value::Array(items));
                    }
                }
                b',' if self.is_in_number() => {
                    return self.refused(
                        "it is not clear whether a comma is within a number; write digits alone",
                    );
                }
                b',' | b';' => last = self.comma(last),
                b':' => return self.malformed("expected a comma, not a colon in a list"),
                _ if self.is_ellipsis(self.at) => self.ellipsis(),
                _ if last == Last::Comma && self.is_key_of_outer() => {
                    self.check_texts(&texts)?;
                    self.leave_unclosed(bracket);
                    return Ok(Value::Array(items));
                }
                _ => {
                    if last == Last::Value {
                        let is_quoted = self.opening().is_some();
                        let is_bare = !is_quoted
                            && !matches!(byte, b'{' | b'[' | b'(')
                            && !self.is_item(self.at);
                        if (is_bare || texts.is_last_bare && is_quoted) && !self.is_coming {
                            return self.refused(ENDS);
                        }
                        self.mend(RepairKind::MissingComma);
                    }
                    self.item(&mut items, &mut texts)?;
                    last = Last::Value;
                }
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Value>, texts: &mut Texts) -> Parse<()> {
        let is_quoted = self.opening().is_some();
        let is_nested = matches!(self.peek(), Some(b'{' | b'[' | b'('));
        self.is_after_odd_item = texts.is_last_odd && !is_nested;
        let cost = self.repairs.cost();
        let (_, value) = self.inside(Step::Index(items.len()), Self::value)?;
        self.is_after_odd_item = false;
        let is_text = matches!(value, Some(Value::String(_)));
        let is_number = matches!(value, Some(Value::Number(_)));
        texts.is_last_odd = is_number || is_text && self.repairs.cost() > cost;
        texts.is_last_bare = is_text && !is_quoted;
        texts.has_quoted |= is_text && is_quoted;
        texts.bare += usize::from(is_text && !is_quoted);
        items.extend(value);
        Ok(())
    }

    /// Whether the next field of the object around a list is here: the closer is missing.
    fn is_key_of_outer(&self) -> bool {
        let outer = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        outer == Some(&Bracket::Object)
            && self.open.last() == Some(&Bracket::List)
            && !self.is_coming
            && self.quoted_key_at(self.at)
    }

    /// Whether the fence here is none that ends the JSON, since brackets are closed after it.
    fn goes_on_after_fence(&self) -> bool {
        let rest = self.rest(self.at).trim_end().trim_end_matches(['`', '~']).trim_end();
        rest.ends_with(['}', ']'])
    }

    /// Whether digits are on both sides of a comma, with nothing between but marks of no width.
    fn is_in_number(&self) -> bool {
        let after = self.rest(self.at + 1);
        let digits = after.trim_start_matches(super::comment::is_mark);
        self.at.checked_sub(1).and_then(|at| self.byte(at)).is_some_and(|b| b.is_ascii_digit())
            && digits.len() < after.len()
            && digits.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Refuses a list in which a text without quotes may have been cut at its commas.
    fn check_texts(&self, texts: &Texts) -> Parse<()> {
        match texts.has_quoted && texts.bare > 1 && !self.is_coming {
            true => self.refused(ENDS),
            false => Ok(()),
        }
    }

    /// Takes a comma, and says so if it is one too many.
    pub(super) fn comma(&mut self, last: Last) -> Last {
        let width = self.wide_at(self.at).map_or(1, |_| WIDE);
        if width == WIDE {
            self.mend(RepairKind::WideComma);
        }
        match last {
            Last::Value if self.byte(self.at) == Some(b';') => {
                self.mend(RepairKind::Semicolon);
            }
            Last::Value => {}
            Last::Opener | Last::Comma => self.mend(RepairKind::ExtraComma),
        }
        self.at += width;
        Last::Comma
    }

    pub(super) fn note_trailing(&mut self, last: Last) {
        if last == Last::Comma {
            self.mend(RepairKind::TrailingComma);
        }
    }

    /// Takes the dots that stand for what was left out.
    pub(super) fn ellipsis(&mut self) {
        self.mend(RepairKind::LeftOut);
        let dots = self.rest(self.at).trim_start_matches(['.', '…']).len();
        self.at = self.text.len() - dots;
    }

    /// Leaves a bracket at the end of the text.
    pub(super) fn end_within(&mut self, bracket: Bracket, last: Last) {
        // Nothing says that all items of a list are there; a fence after them does.
        let is_list = bracket != Bracket::Object && self.byte(self.at).is_none();
        if last == Last::Comma || is_list || self.goes_on_after_fence() {
            self.cut_here();
        }
        if last == Last::Comma {
            self.mend(RepairKind::TrailingComma);
        }
        self.leave_unclosed(bracket);
    }
}
