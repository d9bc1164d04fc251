//! Characters: what ends a word, what is an operator, and where the parser stands.

use super::position::Position;

pub(super) const ARROW: char = '↦';
pub(super) const BULLET: char = '•';
pub(super) const TAG: char = '🏷';
pub(super) const REFERENCE: char = '※';
pub(super) const SATISFIES: char = '⊨';
pub(super) const CONFIDENCE: char = '𝑝';
pub(super) const OPEN: char = '「';
pub(super) const CLOSE: char = '」';
/// Asks for the picture instead of the sign; keyboards add it after a tag.
pub(super) const PICTURE: char = '\u{fe0f}';

/// The operators that come after an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Postfix {
    Tag,
    Reference,
    Satisfies,
    Confidence,
}

impl Postfix {
    pub(super) const fn of(c: char) -> Option<Self> {
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

/// Whether a character ends a word that has no quotes.
pub(super) fn ends_word(c: char) -> bool {
    match c {
        '{' | '}' | '[' | ']' | '"' | ARROW | BULLET | OPEN | CLOSE => true,
        _ => c.is_whitespace() || Postfix::of(c).is_some(),
    }
}

/// A place in a text that is read once from start to end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    /// Always between two characters.
    pub(super) at: usize,
    /// The last place that was asked for, in the text and as a position.
    known: (usize, Position),
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, start: Position) -> Self {
        Self { text, at: 0, known: (0, start) }
    }

    /// A cursor past what stands before a position that is known.
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

    /// Goes over one character, if it is this one.
    pub(super) fn eat(&mut self, c: char) -> bool {
        let eaten = self.peek() == Some(c);
        if eaten {
            self.at += c.len_utf8();
        }
        eaten
    }

    /// Goes over one character, whatever it is.
    pub(super) fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.skip_while(self.at, char::is_whitespace);
    }

    /// Where the line goes on after spaces.
    pub(super) fn after_blanks(&self, from: usize) -> usize {
        self.skip_while(from, |c| c.is_whitespace() && c != '\n')
    }

    /// Where the word ends that begins here.
    pub(super) fn word_end(&self, from: usize) -> usize {
        self.skip_while(from, |c| !ends_word(c))
    }

    /// Where the word ends that begins here, if a comma ends it too.
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
                // A character begins here, as all before it were skipped whole.
                match self.text[at..].chars().next() {
                    Some(c) if is_skipped(c) => at += c.len_utf8(),
                    _ => break,
                }
            }
        }
        at
    }

    /// The position of where the cursor stands. Asked for from start to end.
    pub(super) fn position(&mut self) -> Position {
        self.position_of(self.at)
    }

    pub(super) fn position_of(&mut self, at: usize) -> Position {
        let (from, position) = self.known;
        // No caller goes back.
        if at > from {
            self.known = (at, position.after(&self.text[from..at]));
        }
        self.known.1
    }

    /// Whether only space stands before a place on its line; a byte order mark is space here.
    pub(super) fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches(is_before_line);
        before.is_empty() || before.ends_with('\n')
    }

    /// Where a line begins, as [`begins_line`](Self::begins_line) says it.
    pub(super) fn line_begin(&self, from: usize) -> usize {
        self.skip_while(from, is_before_line)
    }
}

fn is_before_line(c: char) -> bool {
    (c.is_whitespace() && c != '\n') || c == '\u{feff}'
}
