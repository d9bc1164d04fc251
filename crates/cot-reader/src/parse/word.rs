//! Parses unquoted words: literals, numbers and strings without quotes.

use serde_json::Value;

use super::{
    ahead::WIDE,
    cursor::{Bracket, Parse, Parser, Policy},
    fuel::Fuel,
    literal::{Literal, is_half_number, is_plain, literal},
    number::{Numeral, numeral},
    parsed::ParsedValue,
    suspect,
    verdict::Verdict,
};
use crate::repair::catalogue::RepairKind;

/// A scanned word.
#[derive(Debug, Default)]
struct BareWord {
    /// The start of the word.
    start: usize,
    /// The end of the word.
    end: usize,
    /// The position after the word and its closing quote.
    after: usize,
    has_commas: bool,
    /// Whether the word contains a possible key.
    has_key: bool,
    /// Whether the text ends within the word.
    is_cut: bool,
    has_quote: bool,
}

impl Parser<'_, '_> {
    /// Parses the word at the cursor.
    pub(super) fn word(&mut self) -> Parse<Option<Value>> {
        if let Some(value) = self.prefixed()? {
            return Ok(Some(value));
        }
        if let Some(value) = self.html_quoted() {
            return Ok(Some(value));
        }
        if let Some(value) = self.call()? {
            return Ok(value);
        }
        let start = self.at;
        let word = self.word_end(start)?;
        let text = self.slice(start, word.end).trim_end_matches(super::comment::is_odd_blank);
        if text.is_empty() {
            return self.malformed("expected a value");
        }
        self.at = word.after;
        if word.is_cut && self.is_incomplete {
            self.mark_cut();
            return Ok(None);
        }
        if word.is_cut && !matches!(text, "true" | "false" | "null") {
            self.mark_cut();
        }
        self.read_word(text, &word).map(Some)
    }

    fn read_word(&mut self, text: &str, word: &BareWord) -> Parse<Value> {
        if word.has_quote {
            self.add_repair(RepairKind::NoOpeningQuote);
        }
        match literal(text) {
            Some(Literal::BorrowedJson(value)) => return Ok(value),
            Some(Literal::Odd(value, kind)) => {
                self.add_repair(kind.with_subject(text));
                return Ok(value);
            }
            Some(Literal::Lost) => {
                self.add_repair(RepairKind::UnknownLiteral.with_subject(text));
                return Ok(Value::Null);
            }
            None => {}
        }
        match numeral(text) {
            Some(Numeral::BorrowedJson(value)) => return Ok(value),
            Some(Numeral::Odd(value, kind)) => {
                self.add_repair(kind);
                return Ok(value);
            }
            Some(Numeral::Extreme) => {
                return self.refused("the number is too large or too small to be kept");
            }
            None => {}
        }
        if self.is_doubtful(text, word) {
            return self.refused("it is not clear where this text ends; put it in quotes");
        }
        if is_half_number(text) {
            self.add_repair(RepairKind::HalfNumber);
        }
        if word.is_cut && ["true", "false", "null"].iter().any(|whole| whole.starts_with(text)) {
            self.add_repair(RepairKind::HalfLiteral);
        }
        if !word.has_quote {
            self.add_repair(RepairKind::StringWithoutQuotes);
        }
        if word.has_commas {
            self.add_repair(RepairKind::CommasWithoutQuotes);
        }
        if word.has_key {
            self.add_repair(RepairKind::FieldWithoutQuotes);
        }
        Ok(Value::String(text.to_owned()))
    }

    /// Returns whether the start or end of an unquoted text is ambiguous.
    fn is_doubtful(&self, text: &str, word: &BareWord) -> bool {
        let has_odd_start = || {
            let is_apostrophe = self.byte(word.end) == Some(b'\'') && text.contains('\'');
            let after_comment = self.slice(0, word.start).trim_ascii_end().ends_with("*/");
            self.is_after_odd_item || is_apostrophe || after_comment || text.contains('\\')
        };
        text.contains('"') && suspect::swallows(text, '"')
            || word.has_quote && has_odd_start()
            || self.byte(word.end) == Some(b';')
            || text.ends_with('\\')
            || suspect::is_odd_text(text)
            || suspect::is_odd_word(text)
    }

    fn word_end(&mut self, start: usize) -> Parse<BareWord> {
        let mut word = BareWord { start, ..BareWord::default() };
        let mut at = start;
        loop {
            self.burn(1)?;
            let Some(byte) = self.peek_at(at) else {
                word.is_cut = true;
                break;
            };
            match byte {
                b'\n' | b'\r' | b'}' | b']' => break,
                b')' if self.open.last() == Some(&Bracket::Tuple) => break,
                b')' if is_plain(self.slice(start, at)) && self.ends_text(at) => break,
                b'/' if self.is_comment(at) && is_plain(self.slice(start, at)) => break,
                b',' | b';' if self.is_after_word(start, at) => break,
                b',' => {
                    word.has_commas = true;
                    at += 1;
                }
                b' ' | b'\t' => {
                    let next = at + self.blank_length(at);
                    if self.check_word_end(start, at, next, &mut word) {
                        break;
                    }
                    at = next;
                }
                0xe3 | 0xef if self.is_after_word_wide(start, at) => break,
                b'(' | b'[' | b'{' => match self.bracketed(at) {
                    Some(end) => at = end,
                    None if byte == b'(' => at += 1,
                    None => break,
                },
                _ => match self.quote_at(at) {
                    Some(_) if at > start && self.is_before_next(start, at) => break,
                    Some((_, width)) if self.is_end_quote(at + width) => {
                        word.has_quote = true;
                        word.end = at;
                        word.after = at + width;
                        return Ok(word);
                    }
                    Some((_, width)) => at += width,
                    None => at += self.char_at(at).map_or(1, char::len_utf8),
                },
            }
        }
        word.end = at;
        word.after = at;
        Ok(word)
    }

    /// Returns whether a quote directly after a number or a literal opens the next key or item.
    fn is_before_next(&self, start: usize, at: usize) -> bool {
        is_plain(self.slice(start, at))
            && match self.open.last() {
                Some(Bracket::Object) => self.quoted_key_at(at),
                Some(_) => self.quoted_item_at(at),
                None => false,
            }
    }

    pub(super) fn blank_length(&self, at: usize) -> usize {
        self.rest(at).bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Returns whether a comma ends the word rather than being part of it.
    fn is_after_word(&self, start: usize, comma: usize) -> bool {
        let is_digit = || self.byte(comma + 1).is_some_and(|byte| byte.is_ascii_digit());
        if !is_digit() && is_plain(self.slice(start, comma)) {
            return true;
        }
        match self.open.last() {
            Some(Bracket::Object) => {
                let next = self.next_token(comma + 1);
                match self.peek_at(next) {
                    None | Some(b'}' | b']' | b',') => true,
                    Some(_) if self.quote_at(next).is_some() => true,
                    Some(byte) => {
                        byte.is_ascii_digit() && self.number_key_at(next)
                            || self.bare_key_at(next)
                            || self.is_ellipsis(next)
                            || self.slice(comma, next).contains('\n')
                    }
                }
            }
            Some(_) => true,
            None => false,
        }
    }

    /// Returns whether a full-width punctuation mark ends the word.
    fn is_after_word_wide(&self, start: usize, at: usize) -> bool {
        let is_key = || {
            self.open.last() == Some(&Bracket::Object)
                && self.quoted_key_at(self.next_token(at + WIDE))
        };
        matches!(self.wide_at(at), Some(b',' | b';'))
            && (is_plain(self.slice(start, at)) || is_key())
    }

    fn number_key_at(&self, at: usize) -> bool {
        let digits = self.rest(at).bytes().take(20).take_while(u8::is_ascii_digit).count();
        self.peek_at(self.next_token(at + digits)) == Some(b':')
    }

    /// Returns whether a blank ends the word, by the text after it.
    fn check_word_end(
        &mut self,
        start: usize,
        at: usize,
        next: usize,
        word: &mut BareWord,
    ) -> bool {
        self.fuel.burn(next - at);
        if self.is_comment(next) {
            return true;
        }
        let is_object = self.open.last() == Some(&Bracket::Object);
        if self.quote_at(next).is_some() {
            return !is_object || self.quoted_key_at(next);
        }
        if is_object {
            if !self.bare_key_at(next) {
                return false;
            }
            let is_end = is_plain(self.slice(start, at)) || self.choose_early();
            word.has_key |= !is_end;
            return is_end;
        }
        is_plain(self.slice(start, at)) && self.is_item(next)
    }

    /// Returns the end of a bracketed part of a word: `f(x)`, `a[0]`.
    fn bracketed(&self, at: usize) -> Option<usize> {
        let closer = match self.byte(at)? {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        let bytes = self.rest(at + 1).as_bytes();
        let ends = |byte: &u8| {
            matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'\'' | b'\n' | b':')
        };
        let length = bytes.iter().take(100).position(ends)?;
        self.fuel.burn(length);
        (bytes.get(length) == Some(&closer)).then_some(at + 1 + length + 1)
    }

    /// Returns whether a quote ends a string whose opening quote is missing.
    fn is_end_quote(&self, after: usize) -> bool {
        let next = self.next_token(after);
        match self.verdict(next, next > after, 0) {
            Verdict::End => true,
            Verdict::Unsure => self.byte(after) == Some(b','),
            Verdict::Inner | Verdict::Twice => false,
        }
    }
}

/// Parses a text that consists of a single string, number or literal.
pub(crate) fn scalar(whole: &str, fuel: &Fuel) -> Option<ParsedValue> {
    let text = whole;
    let bare = text.trim_end_matches([',', ';']).trim_end();
    let text = if is_plain(bare) { bare } else { text };
    let has_mark = text.len() < whole.len();
    let mut parser = Parser::new(text, 0, Policy::Late, fuel);
    let value = match parser.opening() {
        Some(quote) => parser.string(quote).ok()?,
        None if is_plain(text) || parser.call_bracket(0).is_some() => parser.word().ok()??,
        None => return None,
    };
    let rest = parser.rest(parser.at);
    let is_all = rest.trim_matches([',', ';', ' ']).is_empty() && text.len() > 1 || is_plain(text);
    if has_mark || !rest.is_empty() {
        parser.add_repair(RepairKind::MarkAfterValue);
    }
    // A value with a mark after it is complete.
    let cut = parser.cut.filter(|_| !has_mark);
    is_all.then_some(ParsedValue { value, repairs: parser.repairs, cut })
}
