//! Skips white space and comments between tokens.

use super::cursor::Parser;
use crate::repair::catalogue::RepairKind;

impl Parser<'_, '_> {
    /// Moves the cursor to the next token and records repairs for comments and non-JSON white space.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.byte(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => match self.odd_blank(self.at, byte) {
                    Some((end, kind)) => {
                        if self.may_be_text(byte, end) {
                            self.add_repair(RepairKind::CommentLikeText);
                        }
                        if self.stands_for_more(end) {
                            self.add_repair(RepairKind::LeftOut);
                        }
                        self.add_repair(kind);
                        if self.hides_closers(byte, end) {
                            self.add_repair(RepairKind::CommentBeforeEnd);
                        }
                        self.at = end;
                    }
                    None => return,
                },
                None => return,
            }
        }
    }

    /// Returns the position of the next token at or after a position.
    pub(super) fn next_token(&self, mut at: usize) -> usize {
        let start = at;
        loop {
            match self.byte(at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
                Some(byte) => match self.odd_blank(at, byte) {
                    Some((end, _)) => at = end,
                    None => break,
                },
                None => break,
            }
        }
        self.fuel.burn(at - start);
        at
    }

    /// Returns the end of the comment or non-JSON white space at a position, and its repair.
    fn odd_blank(&self, at: usize, byte: u8) -> Option<(usize, RepairKind)> {
        match byte {
            b'/' => self.comment_end(at).map(|end| (end, RepairKind::Comment)),
            b'#' if self.is_comment(at) => Some((self.line_end(at), RepairKind::Comment)),
            0x80.. => {
                let blank = self.char_at(at).filter(|c| is_odd_blank(*c))?;
                Some((at + blank.len_utf8(), RepairKind::OddBlank))
            }
            0x0b | 0x0c => Some((at + 1, RepairKind::OddBlank)),
            _ => None,
        }
    }

    /// Returns whether the line comment at the cursor ends like a string whose opening quote is missing.
    fn may_be_text(&self, byte: u8, end: usize) -> bool {
        if byte != b'#' && byte != b'/' {
            return false;
        }
        let comment = self.slice(self.at, end).trim_end();
        let comment = comment.strip_suffix(',').unwrap_or(comment);
        comment.ends_with('"') && comment.matches('"').count() % 2 == 1
    }

    /// Returns whether the comment at the cursor begins with an ellipsis, so that it stands for omitted
    /// text.
    fn stands_for_more(&self, end: usize) -> bool {
        let comment = self.slice(self.at, end).trim_start_matches(['/', '*', '#']);
        let comment = comment.trim_start();
        comment.starts_with("...") || comment.starts_with('…')
    }

    /// Returns whether the line comment at the cursor ends the text and seems to contain the closing
    /// brackets.
    fn hides_closers(&self, byte: u8, end: usize) -> bool {
        let is_line = byte == b'#' || byte == b'/' && self.byte(self.at + 1) == Some(b'/');
        let comment = self.slice(self.at, end).trim_end();
        is_line
            && !self.is_incomplete
            && end == self.text.len()
            && self.open.first().is_some_and(|open| comment.ends_with(char::from(open.closer())))
    }

    fn comment_end(&self, at: usize) -> Option<usize> {
        match self.byte(at + 1) {
            Some(b'/') => Some(self.line_end(at)),
            Some(b'*') => {
                let end = self.rest(at + 2).find("*/").map(|end| at + 2 + end + 2);
                Some(end.unwrap_or(self.text.len()))
            }
            _ => None,
        }
    }

    fn line_end(&self, at: usize) -> usize {
        self.rest(at).find('\n').map_or(self.text.len(), |end| at + end)
    }

    /// Returns whether a comment starts at a position.
    pub(super) fn is_comment(&self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'/') => matches!(self.byte(at + 1), Some(b'/' | b'*')),
            Some(b'#') => !matches!(self.byte(at + 1), Some(b'0'..=b'9')),
            _ => false,
        }
    }
}

/// Returns whether a character is Unicode white space or has no width, such as a direction mark.
pub(super) fn is_odd_blank(c: char) -> bool {
    c.is_whitespace() || is_mark(c)
}

/// Returns whether a character has no width.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}')
}
