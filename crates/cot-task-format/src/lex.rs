//! The lexical level: operators, the characters that end a word, and the cursor of the parser.

use super::position::Position;

pub(super) const ARROW: char = '↦';
pub(super) const BULLET: char = '•';
pub(super) const TAG: char = '🏷';
pub(super) const REFERENCE: char = '※';
pub(super) const SATISFIES: char = '⊨';
pub(super) const CONFIDENCE: char = '𝑝';
pub(super) const OPEN: char = '「';
pub(super) const CLOSE: char = '」';
/// The variation selector for emoji presentation; keyboards add it after a tag sign.
pub(super) const PICTURE: char = '\u{fe0f}';

/// An operator after an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Postfix {
    Tag,
    Reference,
    Satisfies,
    Confidence,
}

impl Postfix {
    pub(super) const fn from_char(c: char) -> Option<Self> {
        match c {
            TAG => Some(Self::Tag),
            REFERENCE => Some(Self::Reference),
            SATISFIES => Some(Self::Satisfies),
            CONFIDENCE => Some(Self::Confidence),
            _ => None,
        }
    }

    pub(super) const fn sign(self) -> char {
        match self {
            Self::Tag => TAG,
            Self::Reference => REFERENCE,
            Self::Satisfies => SATISFIES,
            Self::Confidence => CONFIDENCE,
        }
    }
}

/// Returns whether a character ends an unquoted word.
pub(super) fn ends_word(c: char) -> bool {
    match c {
        '{' | '}' | '[' | ']' | '"' | ARROW | BULLET | OPEN | CLOSE => true,
        _ => c.is_whitespace() || Postfix::from_char(c).is_some(),
    }
}

/// A cursor in a text that is read once from start to end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    /// The byte offset of the cursor, always on a character boundary.
    pub(super) at: usize,
    /// The last offset whose position was computed, with that position.
    known: (usize, Position),
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, start: Position) -> Self {
        Self { text, at: 0, known: (0, start) }
    }

    /// Creates a cursor at a known position within a text.
    pub(super) fn after(text: &'t str, begin: Position) -> Self {
        Self { text, at: begin.offset, known: (begin.offset, begin) }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(text.as_bytes())
    }

    /// Skips the next character if it is `c`. Returns whether it was.
    pub(super) fn eat(&mut self, c: char) -> bool {
        let eaten = self.peek() == Some(c);
        if eaten {
            self.at += c.len_utf8();
        }
        eaten
    }

    /// Skips the next character.
    pub(super) fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.skip_while(self.at, char::is_whitespace);
    }

    /// Returns the offset of the next character after `from` that is a line feed or not whitespace.
    pub(super) fn after_blanks(&self, from: usize) -> usize {
        self.skip_while(from, |c| c.is_whitespace() && c != '\n')
    }

    /// Returns the end of the unquoted word that begins at `from`.
    pub(super) fn word_end(&self, from: usize) -> usize {
        self.skip_while(from, |c| !ends_word(c))
    }

    /// Returns the end of the unquoted word that begins at `from`, where `,` and `;` end it too.
    pub(super) fn part_end(&self, from: usize) -> usize {
        self.skip_while(from, |c| !ends_word(c) && !matches!(c, ',' | ';'))
    }

    fn skip_while(&self, from: usize, is_skipped: impl Fn(char) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if byte < 0x80 {
                if !is_skipped(char::from(byte)) {
                    break;
                }
                at += 1;
            } else {
                // All characters before were skipped whole, so this is a character boundary.
                match self.text[at..].chars().next() {
                    Some(c) if is_skipped(c) => at += c.len_utf8(),
                    _ => break,
                }
            }
        }
        at
    }

    /// Returns the position of the cursor. Must be called with increasing offsets.
    pub(super) fn position(&mut self) -> Position {
        self.position_at(self.at)
    }

    pub(super) fn position_at(&mut self, at: usize) -> Position {
        let (from, position) = self.known;
        // Callers never go backwards.
        if at > from {
            self.known = (at, position.after(&self.text[from..at]));
        }
        self.known.1
    }

    /// Returns whether only whitespace or a byte order mark precedes an offset on its line.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches(is_before_line);
        before.is_empty() || before.ends_with('\n')
    }

    /// Skips the whitespace at the start of a line, as [`begins_line`](Self::begins_line) defines it.
    pub(super) fn line_begin(&self, from: usize) -> usize {
        self.skip_while(from, is_before_line)
    }
}

fn is_before_line(c: char) -> bool {
    (c.is_whitespace() && c != '\n') || c == '\u{feff}'
}
