//! What follows a place: it tells the end of a string from a quote inside it.
//!
//! All that is looked at is paid for with fuel, so that the whole stays linear.

use super::{
    cursor::{Bracket, Parser},
    literal::is_plain,
    quote::Quote,
    verdict::Verdict,
};

/// Longest key in quotes that is looked for, in bytes.
const MAX_QUOTED_KEY: usize = 160;

/// How many bytes a sign of full width has.
pub(super) const WIDE: usize = 3;

/// Longest key without quotes that is looked for, in bytes.
const MAX_BARE_KEY: usize = 64;

impl Parser<'_, '_> {
    /// Judges a quote by what follows it: `next` is there, with a blank before it or not.
    pub(super) fn verdict(&self, next: usize, has_blank: bool, inner: u32) -> Verdict {
        let Some(byte) = self.peek_at(next) else { return Verdict::End };
        let Some(open) = self.open.last().copied() else { return self.after_whole(next, byte) };
        match byte {
            b',' | b';' => self.after_comma(next + 1, open, inner),
            _ if matches!(self.wide_at(next), Some(b',' | b';')) => {
                self.after_wide_comma(next + WIDE, open)
            }
            b')' if !self.open.contains(&Bracket::Tuple) => match self.ends_text(next) {
                true => Verdict::End,
                false => Verdict::Inner,
            },
            b'}' | b']' | b')' => self.after_closers(next, inner),
            // Not an inner quote, but a list that is none.
            b':' if open != Bracket::Object && inner == 0 => Verdict::End,
            b'+' if self.quote_at(self.skipped(next + 1)).is_some() => Verdict::End,
            _ if self.quote_at(next).is_some() => self.before_quote(next, open, has_blank, inner),
            _ if open == Bracket::Object => self.before_bare_key(next, has_blank),
            _ if has_blank && self.is_item(next) => Verdict::End,
            _ => Verdict::Inner,
        }
    }

    /// Judges a quote of a text that is no part of anything.
    fn after_whole(&self, next: usize, byte: u8) -> Verdict {
        let is_joined = byte == b'+' && self.quote_at(self.skipped(next + 1)).is_some();
        let is_end = matches!(byte, b',' | b';') && self.peek_at(self.skipped(next + 1)).is_none();
        if is_joined || is_end { Verdict::End } else { Verdict::Inner }
    }

    /// Whether only closers come after a place.
    pub(super) fn ends_text(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let is_closer = |c: &char| matches!(c, '}' | ']' | ')' | ' ' | '\n' | '\r' | '\t');
        let closers = rest.chars().take(512).take_while(is_closer).count();
        self.fuel.burn(closers);
        self.peek_at(at + closers).is_none()
    }

    fn before_quote(&self, next: usize, open: Bracket, has_blank: bool, inner: u32) -> Verdict {
        if open == Bracket::Object {
            return match self.quoted_key_at(next) {
                true => Verdict::End,
                false if inner % 2 == 1 => Verdict::Inner,
                false if has_blank => Verdict::Unsure,
                false => Verdict::Twice,
            };
        }
        match has_blank {
            true if self.quoted_item_at(next) => Verdict::End,
            _ => Verdict::Unsure,
        }
    }

    fn before_bare_key(&self, next: usize, has_blank: bool) -> Verdict {
        if !has_blank || !self.bare_key_at(next) {
            return Verdict::Inner;
        }
        if self.has_bare_keys { Verdict::End } else { Verdict::Unsure }
    }

    fn after_comma(&self, at: usize, open: Bracket, inner: u32) -> Verdict {
        let next = self.skipped(at);
        let Some(byte) = self.peek_at(next) else { return Verdict::End };
        if matches!(byte, b'}' | b']' | b')') {
            return self.after_closers(next, inner);
        }
        if self.is_ellipsis(next) {
            return Verdict::End;
        }
        if byte == b',' {
            return Verdict::Unsure;
        }
        if open == Bracket::Object {
            self.before_key(next)
        } else {
            self.before_item(next, byte, inner)
        }
    }

    fn before_key(&self, next: usize) -> Verdict {
        if self.quote_at(next).is_some() {
            return if self.quoted_key_at(next) { Verdict::End } else { Verdict::Unsure };
        }
        if !self.bare_key_at(next) {
            return Verdict::Inner;
        }
        if self.has_bare_keys { Verdict::End } else { Verdict::Unsure }
    }

    fn before_item(&self, next: usize, byte: u8, inner: u32) -> Verdict {
        let is_quote = self.quote_at(next).is_some();
        let is_start = matches!(byte, b'{' | b'[' | b'(') || self.is_item(next);
        match is_quote || is_start {
            true if is_quote && inner % 2 == 1 => Verdict::Unsure,
            true => Verdict::End,
            false => Verdict::Unsure,
        }
    }

    /// Judges by what comes after the closers that follow.
    fn after_closers(&self, at: usize, inner: u32) -> Verdict {
        let (depth, next) = self.closed(at);
        if !self.goes_on(depth, next) {
            return if self.is_mistaken(at) { Verdict::End } else { Verdict::Inner };
        }
        let is_prose = depth == 0
            && self.peek_at(next).is_some_and(|byte| byte.is_ascii_alphanumeric())
            && !self.slice(at, next).contains('\n');
        if is_prose && inner > 0 { Verdict::Unsure } else { Verdict::End }
    }

    /// Whether the closer at a place is another than the innermost bracket needs, and can be read as
    /// that or as one too many.
    fn is_mistaken(&self, at: usize) -> bool {
        let depth = self.open.len();
        let is_other = self.open.last().map(|open| open.closer()) != self.byte(at);
        is_other
            && (depth > 1 && self.goes_on(depth - 1, at + 1)
                || self.goes_on(depth, at + 1)
                || self.ends_text(at))
    }

    /// How many brackets stay open after the closers at a place, and what comes then.
    fn closed(&self, mut at: usize) -> (usize, usize) {
        let mut depth = self.open.len();
        let start = at;
        while let Some(byte @ (b'}' | b']' | b')')) = self.peek_at(at) {
            let open = self.open.get(..depth).unwrap_or_default();
            if let Some(matching) = open.iter().rposition(|bracket| bracket.closer() == byte) {
                depth = matching;
            } else if byte == b')' {
                break;
            }
            at = self.skipped(at + 1);
        }
        self.fuel.burn(at - start);
        (depth, at)
    }

    /// Whether what is at a place may come after a value when so many brackets are open.
    pub(super) fn goes_on(&self, depth: usize, at: usize) -> bool {
        let next = self.skipped(at);
        let Some(byte) = self.peek_at(next) else { return true };
        let Some(open) = depth.checked_sub(1).and_then(|top| self.open.get(top)) else {
            if byte == b',' && self.open.first() == Some(&Bracket::Object) {
                // The bracket came before the last fields.
                return self.quoted_key_at(self.skipped(next + 1));
            }
            // After the whole value, anything but what could have been a part of it.
            return !matches!(byte, b',' | b':') && self.quote_at(next).is_none();
        };
        if byte == open.closer() {
            return true;
        }
        let (byte, width) = self.wide_at(next).map_or((byte, 1), |sign| (sign, WIDE));
        match (open, byte) {
            (Bracket::Object, b',' | b';') => self.may_be_key(self.skipped(next + width)),
            (Bracket::Object, _) => self.quoted_key_at(next),
            (_, b',' | b';') => self.may_be_item(self.skipped(next + width)),
            (_, b'{' | b'[') => true,
            (_, b'}' | b']' | b')') => {
                self.open.iter().take(depth).any(|open| open.closer() == byte)
            }
            _ => self.quoted_item_at(next),
        }
    }

    fn may_be_key(&self, at: usize) -> bool {
        match self.peek_at(at) {
            None | Some(b'}' | b']' | b',') => true,
            Some(_) => {
                self.quoted_key_at(at)
                    || self.bare_key_at(at)
                    || self.is_ellipsis(at)
                    || self.is_cut_key(at)
                    || self.is_key_without_colon(at)
            }
        }
    }

    /// Whether a key in quotes is at a place, and the text ends in it or right after it.
    fn is_cut_key(&self, at: usize) -> bool {
        let Some((_, width)) = self.quote_at(at) else { return false };
        match self.quoted_end(at) {
            Some(end) => self.peek_at(self.skipped(end)).is_none(),
            None => {
                let rest = self.rest(at + width);
                rest.len() < MAX_QUOTED_KEY && !rest.contains(['}', ']', '\n'])
            }
        }
    }

    /// Whether a key in quotes is at a place, and its value right after it.
    fn is_key_without_colon(&self, at: usize) -> bool {
        self.quoted_end(at).is_some_and(|end| {
            let next = self.skipped(end);
            matches!(self.peek_at(next), Some(b'{' | b'[')) || self.is_item(next)
        })
    }

    fn may_be_item(&self, at: usize) -> bool {
        match self.peek_at(at) {
            None | Some(b'{' | b'[' | b'(' | b']' | b'}' | b')' | b',') => true,
            Some(_) if self.quote_at(at).is_some() => !self.quoted_key_at(at),
            Some(_) => self.is_item(at) || self.is_ellipsis(at),
        }
    }

    /// Whether a key in quotes, and its colon, are at a place.
    pub(super) fn quoted_key_at(&self, at: usize) -> bool {
        self.quoted_end(at).is_some_and(|end| self.colon_at(self.skipped(end)).is_some())
    }

    /// The bytes of a colon, or of what is written for one.
    pub(super) fn colon_at(&self, at: usize) -> Option<usize> {
        match self.peek_at(at)? {
            b':' => Some(1),
            b'=' => Some(if self.byte(at + 1) == Some(b'>') { 2 } else { 1 }),
            _ => self.wide_at(at).filter(|sign| *sign == b':').map(|_| WIDE),
        }
    }

    /// The comma, colon or semicolon that a sign of full width stands for.
    pub(super) fn wide_at(&self, at: usize) -> Option<u8> {
        match (self.byte(at)?, self.char_at(at)) {
            (0xef, Some('，')) | (0xe3, Some('、')) => Some(b','),
            (0xef, Some('：')) => Some(b':'),
            (0xef, Some('；')) => Some(b';'),
            _ => None,
        }
    }

    /// Judges a quote by the comma of full width that follows it: it may be the text's own.
    fn after_wide_comma(&self, at: usize, open: Bracket) -> Verdict {
        let next = self.skipped(at);
        let is_end = match (open, self.peek_at(next)) {
            (_, None) => true,
            (Bracket::Object, _) => self.quoted_key_at(next),
            (_, Some(b'{' | b'[')) => true,
            _ => self.quoted_item_at(next) || self.is_item(next),
        };
        if is_end { Verdict::End } else { Verdict::Inner }
    }

    /// Whether a string in quotes that ends as an item of a list does is at a place.
    pub(super) fn quoted_item_at(&self, at: usize) -> bool {
        self.quoted_end(at).is_some_and(|end| {
            let next = self.skipped(end);
            self.quote_at(next).is_some()
                || matches!(
                    self.peek_at(next),
                    None | Some(b',' | b']' | b'}' | b')' | b'0'..=b'9')
                )
        })
    }

    /// Where a short string in quotes ends, on the same line.
    fn quoted_end(&self, at: usize) -> Option<usize> {
        let (family, width) = self.quote_at(at)?;
        let quote = Quote { family, times: 1, is_escaped: false, is_opened_twice: false, width };
        let start = at + width;
        let mut end = start;
        while end < start + MAX_QUOTED_KEY {
            let byte = self.byte(end).filter(|byte| *byte != b'\n');
            if let Some(width) = byte.and_then(|_| self.closing_at(end, quote)) {
                self.fuel.burn(end - start);
                return Some(end + width);
            }
            end += match byte {
                None => break,
                Some(b'\\') => 1 + self.char_at(end + 1).map_or(1, char::len_utf8),
                Some(_) => self.char_at(end).map_or(1, char::len_utf8),
            };
        }
        self.fuel.burn(end - start);
        None
    }

    /// Whether a key without quotes, and its colon, are at a place.
    pub(super) fn bare_key_at(&self, at: usize) -> bool {
        let rest = self.rest(at);
        let is_first = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if !rest.starts_with(is_first) {
            return false;
        }
        let is_inside = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
        let length: usize =
            rest.chars().take(MAX_BARE_KEY).take_while(is_inside).map(char::len_utf8).sum();
        self.fuel.burn(length);
        let after = self.rest(at + length);
        let after = after.strip_prefix(['"', '\'']).unwrap_or(after).trim_start_matches(' ');
        after.starts_with(':') && !after.starts_with("://")
    }

    /// Whether a number or a literal that stands alone is at a place.
    pub(super) fn is_item(&self, at: usize) -> bool {
        let rest = self.rest(at).as_bytes();
        let is_end =
            |byte: &u8| matches!(byte, b',' | b']' | b'}' | b')') || byte.is_ascii_whitespace();
        let length = rest.iter().take(32).position(is_end).unwrap_or(rest.len().min(32));
        is_plain(self.slice(at, at + length))
    }

    /// Whether a literal is at a place.
    pub(super) fn literal_at(&self, at: usize) -> bool {
        self.is_item(at)
    }

    /// Whether items are left out here.
    pub(super) fn is_ellipsis(&self, at: usize) -> bool {
        let rest = self.rest(at);
        rest.starts_with("...") || rest.starts_with('…')
    }
}
