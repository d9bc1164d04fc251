//! Values, told apart by how they start.

use serde_json::Value;

use super::{
    cursor::{Parse, Parser},
    draft::Role,
};
use crate::repair::catalogue::RepairKind;

impl Parser<'_, '_> {
    /// Reads the value that starts here; nothing if the text ends before it can be told.
    pub(super) fn value(&mut self) -> Parse<Option<Value>> {
        match self.peek() {
            None => Ok(None),
            Some(b'{') => self.object().map(Some),
            Some(b'[') => self.array().map(Some),
            Some(b'(') => self.tuple().map(Some),
            Some(_) => match self.opening() {
                Some(quote) => self.string(quote).map(Some),
                None => self.word(),
            },
        }
    }

    /// Reads the string that starts here, and those that are added to it.
    pub(super) fn string(&mut self, quote: super::quote::Quote) -> Parse<Value> {
        let mut text = self.text(Role::Value, quote)?;
        let mut string = text.string;
        loop {
            self.mend_all(text.notes);
            if text.is_cut {
                self.cut_here();
                self.unfinished += 1;
                break;
            }
            let plus = self.skipped(self.at);
            if self.peek_at(plus) != Some(b'+') {
                break;
            }
            let next = self.skipped(plus + 1);
            if self.quote_at(next).is_none() {
                break;
            }
            self.at = next;
            let Some(quote) = self.opening() else { break };
            self.mend(RepairKind::JoinedStrings);
            text = self.text(Role::Value, quote)?;
            string.push_str(&text.string);
        }
        Ok(Value::String(string))
    }
}
