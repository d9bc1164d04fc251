//! Look-ahead: decides by the following text whether a quote ends a string.
//!
//! All look-ahead consumes fuel, so that parsing takes linear time.

use super::{
    cursor::{Bracket, Parser},
    literal::{is_plain, is_prefix},
    quote::Quote,
    verdict::Verdict,
};

/// Maximum length of a quoted key in look-ahead, in bytes.
const MAX_QUOTED_KEY: usize = 160;

/// The length of a full-width punctuation mark, in bytes.
pub(super) const WIDE: usize = 3;

/// Maximum length of an unquoted key in look-ahead, in bytes.
const MAX_BARE_KEY: usize = 64;

impl Parser<'_, '_> {
    /// Classifies a quote by the following text, which begins at `next`.
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
            // The list is malformed; the quote is not an inner one.
            b':' if open != Bracket::Object && inner == 0 => Verdict::End,
            b'+' if self.quote_at(self.next_token(next + 1)).is_some() => Verdict::End,
            _ if self.quote_at(next).is_some() => self.before_quote(next, open, has_blank, inner),
            _ if open == Bracket::Object => self.before_bare_key(next, has_blank),
            _ if has_blank && self.is_item(next) => Verdict::End,
            _ => Verdict::Inner,
        }
    }

    /// Classifies a quote in a string outside all brackets.
    fn after_whole(&self, next: usize, byte: u8) -> Verdict {
        let is_joined = byte == b'+' && self.quote_at(self.next_token(next + 1)).is_some();
        let is_end =
            matches!(byte, b',' | b';') && self.peek_at(self.next_token(next + 1)).is_none();
        if is_joined || is_end { Verdict::End } else { Verdict::Inner }
    }

    /// Returns whether only closing brackets follow a position.
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
        let next = self.next_token(at);
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
        let is_start = matches!(byte, b'{' | b'[' | b'(')
            || self.is_item(next)
            || is_prefix(self.rest(next)) && self.quoted_item_at(next + 1);
        match is_quote || is_start {
            true if is_quote && inner % 2 == 1 => Verdict::Unsure,
            true => Verdict::End,
            false => Verdict::Unsure,
        }
    }

    /// Classifies a quote by the text after the closing brackets that follow it.
    fn after_closers(&self, at: usize, inner: u32) -> Verdict {
        let (depth, next) = self.skip_closers(at);
        if !self.can_continue(depth, next) {
            return if self.is_mistaken(at) { Verdict::End } else { Verdict::Inner };
        }
        let is_prose = depth == 0
            && self.peek_at(next).is_some_and(|byte| byte.is_ascii_alphanumeric())
            && !self.slice(at, next).contains('\n');
        if is_prose && inner > 0 { Verdict::Unsure } else { Verdict::End }
    }

    /// Returns whether the closing bracket at a position does not match the innermost open bracket, but can
    /// be read as its closer or as an excess one.
    fn is_mistaken(&self, at: usize) -> bool {
        let depth = self.open.len();
        let is_other = self.open.last().map(|open| open.closer()) != self.byte(at);
        is_other
            && (depth > 1 && self.can_continue(depth - 1, at + 1)
                || self.can_continue(depth, at + 1)
                || self.ends_text(at))
    }

    /// Returns the number of open brackets after the closing brackets at a position, and the position after
    /// them.
    fn skip_closers(&self, mut at: usize) -> (usize, usize) {
        let mut depth = self.open.len();
        let start = at;
        while let Some(byte @ (b'}' | b']' | b')')) = self.peek_at(at) {
            let open = self.open.get(..depth).unwrap_or_default();
            if let Some(matching) = open.iter().rposition(|bracket| bracket.closer() == byte) {
                depth = matching;
            } else if byte == b')' {
                break;
            }
            at = self.next_token(at + 1);
        }
        self.fuel.burn(at - start);
        (depth, at)
    }

    /// Returns whether the text at a position can follow a value within `depth` open brackets.
    pub(super) fn can_continue(&self, depth: usize, at: usize) -> bool {
        let next = self.next_token(at);
        let Some(byte) = self.peek_at(next) else { return true };
        let Some(open) = depth.checked_sub(1).and_then(|top| self.open.get(top)) else {
            if byte == b',' && self.open.first() == Some(&Bracket::Object) {
                // The bracket was closed before the last fields.
                return self.quoted_key_at(self.next_token(next + 1));
            }
            // Any text can follow the whole value, except continuations of it.
            return !matches!(byte, b',' | b':') && self.quote_at(next).is_none();
        };
        if byte == open.closer() {
            return true;
        }
        let (byte, width) = self.wide_at(next).map_or((byte, 1), |sign| (sign, WIDE));
        match (open, byte) {
            (Bracket::Object, b',' | b';') => self.may_be_key(self.next_token(next + width)),
            (Bracket::Object, _) => self.quoted_key_at(next),
            (_, b',' | b';') => self.may_be_item(self.next_token(next + width)),
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

    /// Returns whether a quoted key is at a position, and the text ends within it or right after it.
    fn is_cut_key(&self, at: usize) -> bool {
        let Some((_, width)) = self.quote_at(at) else { return false };
        match self.quoted_end(at) {
            Some(end) => self.peek_at(self.next_token(end)).is_none(),
            None => {
                let rest = self.rest(at + width);
                rest.len() < MAX_QUOTED_KEY && !rest.contains(['}', ']', '\n'])
            }
        }
    }

    /// Returns whether a quoted key is at a position, directly followed by its value.
    fn is_key_without_colon(&self, at: usize) -> bool {
        self.quoted_end(at).is_some_and(|end| {
            let next = self.next_token(end);
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

    /// Returns whether a quoted key with a colon is at a position.
    pub(super) fn quoted_key_at(&self, at: usize) -> bool {
        self.quoted_end(at).is_some_and(|end| self.colon_at(self.next_token(end)).is_some())
    }

    /// Returns the length of the colon, or of a substitute for it, at a position.
    pub(super) fn colon_at(&self, at: usize) -> Option<usize> {
        match self.peek_at(at)? {
            b':' => Some(1),
            b'=' => Some(if self.byte(at + 1) == Some(b'>') { 2 } else { 1 }),
            _ => self.wide_at(at).filter(|sign| *sign == b':').map(|_| WIDE),
        }
    }

    /// Returns the ASCII equivalent of the full-width comma, colon or semicolon at a position.
    pub(super) fn wide_at(&self, at: usize) -> Option<u8> {
        match (self.byte(at)?, self.char_at(at)) {
            (0xef, Some('，')) | (0xe3, Some('、')) => Some(b','),
            (0xef, Some('：')) => Some(b':'),
            (0xef, Some('；')) => Some(b';'),
            _ => None,
        }
    }

    /// Classifies a quote that is followed by a full-width comma, which may be part of the text.
    fn after_wide_comma(&self, at: usize, open: Bracket) -> Verdict {
        let next = self.next_token(at);
        let is_end = match (open, self.peek_at(next)) {
            (_, None) => true,
            (Bracket::Object, _) => self.quoted_key_at(next),
            (_, Some(b'{' | b'[')) => true,
            _ => self.quoted_item_at(next) || self.is_item(next),
        };
        if is_end { Verdict::End } else { Verdict::Inner }
    }

    /// Returns whether a quoted list item is at a position.
    pub(super) fn quoted_item_at(&self, at: usize) -> bool {
        self.quoted_end(at).is_some_and(|end| {
            let next = self.next_token(end);
            self.quote_at(next).is_some()
                || matches!(
                    self.peek_at(next),
                    None | Some(b',' | b']' | b'}' | b')' | b'0'..=b'9')
                )
        })
    }

    /// Returns the end of the short quoted string on one line at a position.
    pub(super) fn quoted_end(&self, at: usize) -> Option<usize> {
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

    /// Returns whether an unquoted key with a colon is at a position.
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

    /// Returns whether a number or a literal is at a position.
    pub(super) fn is_item(&self, at: usize) -> bool {
        let rest = self.rest(at).as_bytes();
        let is_end =
            |byte: &u8| matches!(byte, b',' | b']' | b'}' | b')') || byte.is_ascii_whitespace();
        let length = rest.iter().take(32).position(is_end).unwrap_or(rest.len().min(32));
        is_plain(self.slice(at, at + length))
    }

    /// Returns whether a number or a literal is at a position, in the place of a value.
    pub(super) fn literal_at(&self, at: usize) -> bool {
        self.is_item(at)
    }

    /// Returns whether an ellipsis is at a position.
    pub(super) fn is_ellipsis(&self, at: usize) -> bool {
        let rest = self.rest(at);
        rest.starts_with("...") || rest.starts_with('…')
    }
}
