//! Objects: keys in any quotes or none, and what separates them.

use cot_schema::internal::{Step, cut_text};
use serde_json::{Map, Value, map::Entry};

use super::{
    ahead::WIDE,
    array::Last,
    cursor::{Bracket, Parse, Parser},
    draft::Role,
    literal::is_plain,
    note::Notes,
    suspect,
    text::Text,
};
use crate::repair::catalogue::RepairKind;

/// What a member turned out to be.
enum Member {
    Pair(String, Value),
    /// A key or a value that the end of the text cut off.
    Half,
    /// No member, but the first value of a set.
    Item(Value),
}

impl Parser<'_, '_> {
    /// Reads the object that starts here.
    pub(super) fn object(&mut self) -> Parse<Value> {
        self.enter(Bracket::Object)?;
        let mut members = Map::new();
        let mut last = Last::Opener;
        loop {
            self.skip();
            let Some(byte) = self.peek() else {
                self.end_within(Bracket::Object, last);
                return Ok(Value::Object(members));
            };
            let byte = self.wide_at(self.at).unwrap_or(byte);
            match byte {
                b'}' if self.is_too_early() => {
                    self.mend(RepairKind::EarlyCloser);
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
                b',' | b';' => last = self.comma(last),
                b'{' if last == Last::Opener => return self.doubled(),
                b'{' if last == Last::Comma && self.is_next_of_list() => {
                    self.leave_unclosed(Bracket::Object);
                    return Ok(Value::Object(members));
                }
                _ if self.is_ellipsis(self.at) => self.ellipsis(),
                _ => {
                    if last == Last::Value {
                        self.mend(RepairKind::MissingComma);
                    }
                    match self.member(members.is_empty())? {
                        Member::Pair(key, value) => self.insert(&mut members, key, value)?,
                        Member::Half => {}
                        Member::Item(item) => return self.set(item),
                    }
                    last = Last::Value;
                }
            }
        }
    }

    /// Whether the closer here would end the whole value, and more fields come after it.
    fn is_too_early(&self) -> bool {
        let next = self.skipped(self.at + 1);
        self.open.len() == 1
            && !self.is_coming
            && self.peek_at(next) == Some(b',')
            && self.quoted_key_at(self.skipped(next + 1))
    }

    /// Whether the next object of the list around this one is here: the closer is missing.
    fn is_next_of_list(&self) -> bool {
        let outer = self.open.len().checked_sub(2).and_then(|at| self.open.get(at));
        outer == Some(&Bracket::List)
            && !self.is_coming
            && self.quoted_key_at(self.skipped(self.at + 1))
    }

    /// `{{…}}`: an object as it is written in a template.
    fn doubled(&mut self) -> Parse<Value> {
        self.mend(RepairKind::DoubledBraces);
        let value = self.object()?;
        self.skip();
        match self.peek() {
            Some(b'}') => self.leave(),
            None => self.leave_unclosed(Bracket::Object),
            Some(b',') if self.peek_at(self.skipped(self.at + 1)) == Some(b'{') => {
                return self.set(value);
            }
            Some(_) => return self.malformed("expected `}`"),
        }
        Ok(value)
    }

    /// `{"a", "b"}`: a list in braces.
    fn set(&mut self, first: Value) -> Parse<Value> {
        self.mend(RepairKind::Set);
        if let Some(top) = self.open.last_mut() {
            *top = Bracket::Set;
        }
        self.items(Bracket::Set, vec![first], Last::Value)
    }

    fn insert(&mut self, members: &mut Map<String, Value>, key: String, value: Value) -> Parse<()> {
        match members.entry(key) {
            Entry::Vacant(entry) => _ = entry.insert(value),
            Entry::Occupied(_) if self.is_coming => {}
            Entry::Occupied(entry) => {
                self.path.push(Step::Key(entry.key().clone()));
                if *entry.get() != value {
                    let key = cut_text(entry.key(), 60).to_owned();
                    return self.refused(format!("`{key}` is given twice; give each field once"));
                }
                self.mend(RepairKind::FieldTwice);
                self.path.pop();
            }
        }
        Ok(())
    }

    fn member(&mut self, is_first: bool) -> Parse<Member> {
        let start = self.at;
        let Some((key, is_quoted)) = self.key()? else {
            self.half(RepairKind::HalfKey);
            return Ok(Member::Half);
        };
        if is_first && matches!(self.peek(), Some(b',' | b'}')) {
            return self.first_of_set(start, key, is_quoted);
        }
        let notes = key.notes;
        let (step, value) = self.inside(Step::Key(key.string), |parser| {
            parser.mend_all(notes);
            parser.after_key()
        })?;
        Ok(match (step, value) {
            (Step::Key(key), Some(value)) => Member::Pair(key, value),
            _ => Member::Half,
        })
    }

    fn first_of_set(&mut self, start: usize, key: Text, is_quoted: bool) -> Parse<Member> {
        if is_quoted {
            if key.notes.has(RepairKind::NoClosingQuote) || key.notes.has(RepairKind::InnerQuotes) {
                self.at = start;
                return self.malformed("expected a key in quotes and `:`");
            }
            self.mend_all(key.notes);
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

    /// Takes a colon and the value after it.
    fn after_key(&mut self) -> Parse<Option<Value>> {
        match self.peek() {
            None => {
                self.half(RepairKind::HalfField);
                return Ok(None);
            }
            Some(b':') => self.at += 1,
            Some(b'=') => {
                self.mend(RepairKind::EqualsForColon);
                self.at += if self.byte(self.at + 1) == Some(b'>') { 2 } else { 1 };
            }
            Some(b',' | b'}' | b']') => {}
            Some(_) if self.wide_at(self.at) == Some(b':') => {
                self.mend(RepairKind::WideColon);
                self.at += WIDE;
            }
            Some(_) => self.mend(RepairKind::MissingColon),
        }
        self.skip();
        while self.peek() == Some(b':') {
            self.mend(RepairKind::ExtraColon);
            self.at += 1;
            self.skip();
        }
        match self.peek() {
            None => {
                self.half(RepairKind::HalfField);
                Ok(None)
            }
            Some(b',' | b'}' | b']') => {
                self.mend(RepairKind::MissingValue);
                Ok(Some(Value::Null))
            }
            Some(_) => self.value(),
        }
    }

    /// Leaves out what the end of the text cut off.
    fn half(&mut self, kind: RepairKind) {
        self.cut_here();
        if !self.is_coming {
            self.mend(kind);
        }
    }

    /// Reads a key, up to its colon; nothing if the text ends within it.
    fn key(&mut self) -> Parse<Option<(Text, bool)>> {
        let Some(quote) = self.opening() else { return self.bare_key() };
        let text = self.text(Role::Key, quote)?;
        let is_doubtful =
            text.notes.has(RepairKind::InnerQuotes) || text.notes.has(RepairKind::NoClosingQuote);
        let bare = text.string.replace('"', "");
        if is_doubtful && suspect::is_odd_key(&bare) {
            return self.malformed("expected a key in quotes and `:`");
        }
        self.skip();
        let is_half = text.is_cut || self.is_coming && self.peek().is_none();
        Ok((!is_half).then_some((text, true)))
    }

    /// Reads a key without quotes, or with one of them missing.
    fn bare_key(&mut self) -> Parse<Option<(Text, bool)>> {
        let start = self.at;
        let rest = self.rest(start);
        let is_inside =
            |c: &char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | ' ' | '/' | '@');
        let length: usize =
            rest.chars().take(MAX_KEY_CHARS).take_while(is_inside).map(char::len_utf8).sum();
        let end = start + length;
        self.at = end;
        let mut notes = Notes::of(RepairKind::KeyWithoutQuotes);
        if let Some((_, width)) = self.quote_at(end) {
            self.at += width;
            notes = Notes::of(RepairKind::NoOpeningQuote);
        }
        self.skip();
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

/// Longest key without quotes.
const MAX_KEY_CHARS: usize = 200;
