//! Parses values by their first character.

use serde_json::Value;

use super::{
    cursor::{Parse, Parser},
    draft::StringRole,
    trace::trace::Tracing,
};
use crate::repair::catalogue::RepairKind;

impl Parser<'_, '_> {
    /// Parses the value at the cursor. Returns `None` if the text ends before the value can be determined.
    pub(super) fn value(&mut self) -> Parse<Option<Value>> {
        let start = self.at;
        let value = match self.peek() {
            None => Ok(None),
            Some(b'{') => self.object().map(Some),
            Some(b'[') => self.array().map(Some),
            Some(b'(') => self.tuple().map(Some),
            Some(_) => match self.opening() {
                Some(quote) => self.string(quote).map(Some),
                None => self.word(),
            },
        }?;
        if value.is_some() {
            self.trace_value(start);
        }
        Ok(value)
    }

    /// Parses the string at the cursor, with strings that are joined by `+`.
    pub(super) fn string(&mut self, quote: super::quote::Quote) -> Parse<Value> {
        let mut start = self.at;
        let mut text = self.text(StringRole::Value, quote)?;
        let mut string = text.string;
        loop {
            self.add_repairs(text.notes, start);
            if text.is_cut {
                self.mark_cut();
                self.unfinished += 1;
                break;
            }
            let plus = self.next_token(self.at);
            if self.peek_at(plus) != Some(b'+') {
                break;
            }
            let next = self.next_token(plus + 1);
            if self.quote_at(next).is_none() {
                break;
            }
            self.at = next;
            let Some(quote) = self.opening() else { break };
            self.add_repair(RepairKind::JoinedStrings);
            start = self.at;
            text = self.text(StringRole::Value, quote)?;
            string.push_str(&text.string);
        }
        Ok(Value::String(string))
    }
}
