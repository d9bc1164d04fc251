//! Lists: arrays, tuples and sets.

use serde_json::Value;

use super::cursor::{Bracket, Parse, Parser};
use crate::reader::repair::Step;

/// What came last in a list or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Opener,
    Comma,
    Value,
}

impl Parser<'_, '_> {
    /// Reads the array that starts here.
    pub(super) fn array(&mut self) -> Parse<Value> {
        self.enter(Bracket::List)?;
        self.items(Bracket::List, Vec::new(), Last::Opener)
    }

    /// Reads the tuple that starts here.
    pub(super) fn tuple(&mut self) -> Parse<Value> {
        self.mend(3, "a tuple");
        self.enter(Bracket::Tuple)?;
        let start = self.at;
        let value = self.items(Bracket::Tuple, Vec::new(), Last::Opener)?;
        // Brackets round one value that no comma follows are no tuple.
        let inside = self.slice(start, self.at).trim_end_matches([')', ' ', '\n', '\r', '\t']);
        match value {
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
        loop {
            self.skip();
            let Some(byte) = self.peek() else {
                self.end_within(bracket, last);
                return Ok(Value::Array(items));
            };
            match byte {
                _ if byte == bracket.closer() => {
                    self.note_trailing(last);
                    self.leave();
                    return Ok(Value::Array(items));
                }
                b'}' | b']' | b')' => {
                    if self.close_mismatched(bracket, byte) {
                        return Ok(Value::Array(items));
                    }
                }
                b',' | b';' => last = self.comma(last),
                b':' => return self.malformed("expected a comma, not a colon in a list"),
                _ if self.is_ellipsis(self.at) => self.ellipsis(),
                _ => {
                    if last == Last::Value {
                        self.mend(2, "a missing comma");
                    }
                    self.item(&mut items)?;
                    last = Last::Value;
                }
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Value>) -> Parse<()> {
        let (_, value) = self.inside(Step::Index(items.len()), Self::value)?;
        items.extend(value);
        Ok(())
    }

    /// Takes a comma, and says so if it is one too many.
    pub(super) fn comma(&mut self, last: Last) -> Last {
        match last {
            Last::Value if self.byte(self.at) == Some(b';') => {
                self.mend(2, "a semicolon for a comma");
            }
            Last::Value => {}
            Last::Opener | Last::Comma => self.mend(2, "a comma too many"),
        }
        self.at += 1;
        Last::Comma
    }

    pub(super) fn note_trailing(&mut self, last: Last) {
        if last == Last::Comma {
            self.mend(1, "a trailing comma");
        }
    }

    /// Takes the dots that stand for what was left out.
    pub(super) fn ellipsis(&mut self) {
        self.mend(2, "dots for what was left out");
        let dots = self.rest(self.at).trim_start_matches(['.', '…']).len();
        self.at = self.text.len() - dots;
    }

    /// Leaves a bracket at the end of the text.
    pub(super) fn end_within(&mut self, bracket: Bracket, last: Last) {
        if last == Last::Comma {
            self.cut_here();
            self.mend(1, "a trailing comma");
        }
        self.leave_unclosed(bracket);
    }
}
