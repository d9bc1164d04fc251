//! Blanks and comments between tokens.

use super::cursor::Parser;
use crate::repair::catalogue::RepairKind;

impl Parser<'_, '_> {
    /// Goes on to the next token.
    pub(super) fn skip(&mut self) {
        loop {
            match self.byte(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => match self.odd_blank(self.at, byte) {
                    Some((end, kind)) => {
                        if self.may_be_text(byte, end) {
                            self.mend(RepairKind::CommentLikeText);
                        }
                        if self.stands_for_more(end) {
                            self.mend(RepairKind::LeftOut);
                        }
                        self.mend(kind);
                        if self.hides_closers(byte, end) {
                            self.mend(RepairKind::CommentBeforeEnd);
                        }
                        self.at = end;
                    }
                    None => return,
                },
                None => return,
            }
        }
    }

    /// Where the next token is, seen from a place.
    pub(super) fn skipped(&self, mut at: usize) -> usize {
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

    /// The end of a comment or of a blank that JSON does not have, and what it is.
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

    /// Whether the comment of one line that starts here ends as a text does of which the first quote is
    /// missing.
    fn may_be_text(&self, byte: u8, end: usize) -> bool {
        if byte != b'#' && byte != b'/' {
            return false;
        }
        let comment = self.slice(self.at, end).trim_end();
        let comment = comment.strip_suffix(',').unwrap_or(comment);
        comment.ends_with('"') && comment.matches('"').count() % 2 == 1
    }

    /// Whether the comment here begins with dots: it stands for what was left out.
    fn stands_for_more(&self, end: usize) -> bool {
        let comment = self.slice(self.at, end).trim_start_matches(['/', '*', '#']);
        let comment = comment.trim_start();
        comment.starts_with("...") || comment.starts_with('…')
    }

    /// Whether the comment of one line that starts here is the end of the text, and what is open seems
    /// to be closed in it.
    fn hides_closers(&self, byte: u8, end: usize) -> bool {
        let is_line = byte == b'#' || byte == b'/' && self.byte(self.at + 1) == Some(b'/');
        let comment = self.slice(self.at, end).trim_end();
        is_line
            && !self.is_coming
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

    /// Whether a comment starts here, within a bare word.
    pub(super) fn is_comment(&self, at: usize) -> bool {
        match self.byte(at) {
            Some(b'/') => matches!(self.byte(at + 1), Some(b'/' | b'*')),
            Some(b'#') => !matches!(self.byte(at + 1), Some(b'0'..=b'9')),
            _ => false,
        }
    }
}

/// Whether a character is a blank that JSON does not have, or a mark of the direction of writing.
pub(super) fn is_odd_blank(c: char) -> bool {
    c.is_whitespace() || is_mark(c)
}

/// Whether a character has no width.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}')
}
