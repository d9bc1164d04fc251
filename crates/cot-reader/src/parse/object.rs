//! Parses objects.

use cot_schema::internal::{PathSegment, truncate};
use serde_json::{Map, Value, map::Entry};

use super::{
    ahead::WIDE,
    array::PreviousToken,
    cursor::{Bracket, Parse, Parser},
    draft::StringRole,
    literal::is_plain,
    note::Notes,
    suspect,
    text::Text,
    trace::trace::Tracing,
};
use crate::repair::catalogue::RepairKind;

/// A parsed member.
enum Member {
    Pair(String, Value),
    /// A member that is truncated by the end of the text.
    Half,
    /// The first value of a set.
    Item(Value),
}

impl Parser<'_, '_> {
    /// Parses the object at the cursor.
    pub(super) fn object(&mut self) -> Parse<Value> {
        self.enter(Bracket::Object)?;
        let mut members = Map::new();
        let mut last = PreviousToken::Opener;
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else {
                self.end_within(Bracket::Object, last);
                return Ok(Value::Object(members));
            };
            let byte = self.wide_at(self.at).unwrap_or(byte);
            match byte {
                b'}' if self.is_too_early() => {
                    self.add_repair(RepairKind::EarlyCloser);
                    self.at += 1;
                }
                b'}' => {
                    self.note_trailing(last);
                    self.leave();
                    return Ok(Value::Object(members));
                }
                b']' | b')' => {
                    if self.close_mismatched(Bracket::Object, byte) {
                        return Ok(Value::Object(members));
                    }
                }
                b',' | b';' => last = self.skip_comma(last),
                b'{' if last == PreviousToken::Opener => return self.doubled(),
                b'{' if last == PreviousToken::Comma && self.is_next_of_list() => {
                    self.leave_unclosed(Bracket::Object);
                    return Ok(Value::Object(members));
                }
                _ if self.is_ellipsis(self.at) => self.skip_ellipsis(),
                _ => {
                    if last == PreviousToken::Value {
                        self.add_repair(RepairKind::MissingComma);
                    }
                    match self.member(members.is_empty())? {
                        Member::Pair(key, value) => self.insert(&mut members, key, value)?,
                        Member::Half => {}
                        Member::Item(item) => return self.set(item),
                    }
                    last = PreviousToken::Value;
                }
            }
        }
    }

    /// Returns whether the closing brace at the cursor would end the whole value although more fields
    /// follow.
    fn is_too_early(&self) -> bool {
        let next = self.next_token(self.at + 1);
        self.open.len() == 1
            && !self.is_incomplete
            && self.peek_at(next) == Some(b',')
            && self.quoted_key_at(self.next_token(next + 1))
    }

    /// Returns whether the next object of the surrounding list is at the cursor: the closing brace is
    /// missing.
    fn is_next_of_list(&self) -> bool {
        let outer = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        outer == Some(&Bracket::List)
            && !self.is_incomplete
            && self.quoted_key_at(self.next_token(self.at + 1))
    }

    /// Parses an object in doubled braces, as in a template: `{{…}}`.
    fn doubled(&mut self) -> Parse<Value> {
        self.add_repair(RepairKind::DoubledBraces);
        let value = self.object()?;
        self.skip_blanks();
        match self.peek() {
            Some(b'}') => self.leave(),
            None => self.leave_unclosed(Bracket::Object),
            Some(b',') if self.peek_at(self.next_token(self.at + 1)) == Some(b'{') => {
                return self.set(value);
            }
            Some(_) => return self.malformed("expected `}`"),
        }
        Ok(value)
    }

    /// Parses the rest of a list in braces: `{"a", "b"}`.
    fn set(&mut self, first: Value) -> Parse<Value> {
        self.add_repair(RepairKind::Set);
        if let Some(top) = self.open.last_mut() {
            *top = Bracket::Set;
        }
        self.items(Bracket::Set, vec![first], PreviousToken::Value)
    }

    fn insert(&mut self, members: &mut Map<String, Value>, key: String, value: Value) -> Parse<()> {
        match members.entry(key) {
            Entry::Vacant(entry) => _ = entry.insert(value),
            Entry::Occupied(_) if self.is_incomplete => {}
            Entry::Occupied(entry) => {
                self.path.push(PathSegment::Key(entry.key().clone()));
                if *entry.get() != value {
                    let key = truncate(entry.key(), 60).to_owned();
                    return self.refused(format!("`{key}` is given twice; give each field once"));
                }
                self.add_repair(RepairKind::FieldTwice);
                self.path.pop();
            }
        }
        Ok(())
    }

    fn member(&mut self, is_first: bool) -> Parse<Member> {
        let start = self.at;
        let Some((key, is_quoted)) = self.key()? else {
            self.drop_truncated(RepairKind::HalfKey);
            return Ok(Member::Half);
        };
        if is_first && matches!(self.peek(), Some(b',' | b'}')) {
            return self.first_of_set(start, key, is_quoted);
        }
        let (notes, end) = (key.notes, self.at);
        let (step, value) = self.inside(PathSegment::Key(key.string), |parser| {
            parser.add_repairs(notes, start);
            parser.trace_key(start..end);
            parser.after_key()
        })?;
        Ok(match (step, value) {
            (PathSegment::Key(key), Some(value)) => Member::Pair(key, value),
            _ => Member::Half,
        })
    }

    fn first_of_set(&mut self, start: usize, key: Text, is_quoted: bool) -> Parse<Member> {
        if is_quoted {
            if key.notes.has(RepairKind::NoClosingQuote) || key.notes.has(RepairKind::InnerQuotes) {
                self.at = start;
                return self.malformed("expected a key in quotes and `:`");
            }
            self.add_repairs(key.notes, start);
            return Ok(Member::Item(Value::String(key.string)));
        }
        if !is_plain(&key.string) {
            self.at = start;
            return self.malformed("expected a key and `:`");
        }
        self.at = start;
        if let Some(top) = self.open.last_mut() {
            *top = Bracket::Set;
        }
        Ok(self.value()?.map_or(Member::Half, Member::Item))
    }

    /// Parses a colon and the value after it.
    fn after_key(&mut self) -> Parse<Option<Value>> {
        match self.peek() {
            None => {
                self.drop_truncated(RepairKind::HalfField);
                return Ok(None);
            }
            Some(b':') => self.at += 1,
            Some(b'=') => {
                self.add_repair(RepairKind::EqualsForColon);
                self.at += if self.byte(self.at + 1) == Some(b'>') { 2 } else { 1 };
            }
            Some(b',' | b'}' | b']') => {}
            Some(_) if self.wide_at(self.at) == Some(b':') => {
                self.add_repair(RepairKind::WideColon);
                self.at += WIDE;
            }
            Some(_) => self.add_repair(RepairKind::MissingColon),
        }
        self.skip_blanks();
        while self.peek() == Some(b':') {
            self.add_repair(RepairKind::ExtraColon);
            self.at += 1;
            self.skip_blanks();
        }
        match self.peek() {
            None => {
                self.drop_truncated(RepairKind::HalfField);
                Ok(None)
            }
            Some(b',' | b'}' | b']') => {
                self.add_repair(RepairKind::MissingValue);
                Ok(Some(Value::Null))
            }
            Some(_) => self.value(),
        }
    }

    /// Records that a truncated member was dropped.
    fn drop_truncated(&mut self, kind: RepairKind) {
        self.mark_cut();
        if !self.is_incomplete {
            self.add_repair(kind);
        }
    }

    /// Parses a key up to its colon, and returns it with whether it is quoted. Returns `None` if the text
    /// ends within it.
    fn key(&mut self) -> Parse<Option<(Text, bool)>> {
        let Some(quote) = self.opening() else { return self.bare_key() };
        let text = self.text(StringRole::Key, quote)?;
        let is_doubtful =
            text.notes.has(RepairKind::InnerQuotes) || text.notes.has(RepairKind::NoClosingQuote);
        let bare = text.string.replace('"', "");
        if is_doubtful && suspect::is_odd_key(&bare) {
            return self.malformed("expected a key in quotes and `:`");
        }
        self.skip_blanks();
        let is_half = text.is_cut || self.is_incomplete && self.peek().is_none();
        Ok((!is_half).then_some((text, true)))
    }

    /// Parses a key without quotes, or without the opening one.
    fn bare_key(&mut self) -> Parse<Option<(Text, bool)>> {
        let start = self.at;
        let rest = self.rest(start);
        let is_inside =
            |c: &char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | ' ' | '/' | '@');
        let length: usize =
            rest.chars().take(MAX_KEY_CHARS).take_while(is_inside).map(char::len_utf8).sum();
        let end = start + length;
        self.at = end;
        let mut notes = Notes::from_kind(RepairKind::KeyWithoutQuotes);
        if let Some((_, width)) = self.quote_at(end) {
            self.at += width;
            notes = Notes::from_kind(RepairKind::NoOpeningQuote);
        }
        self.skip_blanks();
        match self.peek() {
            None => return Ok(None),
            Some(b':' | b'=' | b',' | b'}') if length > 0 => {}
            Some(_) if length > 0 && self.wide_at(self.at) == Some(b':') => {}
            Some(_) => {
                self.at = end;
                return self.malformed("expected a key");
            }
        }
        self.has_bare_keys = true;
        let string = self.slice(start, end).trim_ascii_end().to_owned();
        Ok(Some((Text { string, notes, is_cut: false }, false)))
    }
}

/// Maximum length of an unquoted key, in characters.
const MAX_KEY_CHARS: usize = 200;
