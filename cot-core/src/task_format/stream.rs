//! Reading a trace while it comes in.

use super::{
    Block, BlockKind, Diagnostic, Position,
    lex::{BULLET, CLOSE, Cursor, OPEN, PICTURE, Postfix},
    parse,
};

/// Reads a trace piece by piece, and gives each structure as soon as it is complete.
///
/// A structure is complete when what comes after it can be no mark of it, or when the text ends.
/// Reading recovers from mistakes as [`recover`](super::recover) does; a text without a closing quote is
/// given at the end. Each character is looked at a fixed number of times, however small the pieces.
///
/// ```
/// use cot_core::task_format::Stream;
///
/// let mut stream = Stream::new();
/// assert!(stream.push("user「Hel").is_empty());
/// assert!(stream.push("lo」🏷 usr").is_empty());
/// let blocks = stream.push("1\n\nplan {");
/// assert_eq!(blocks[0].content.tags()[0].text, "usr1");
/// assert_eq!(stream.finish().len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stream {
    buffer: String,
    /// The position of the buffer's first byte.
    start: Position,
    /// Up to here the buffer was scanned.
    scanned: usize,
    /// Up to here the buffer was given.
    given: usize,
    state: State,
    word: Option<(usize, usize)>,
    findings: Vec<Diagnostic>,
}

/// Where the scan stands.
#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Between structures.
    #[default]
    Outside,
    /// In an object, so many braces and brackets deep.
    Object { depth: usize },
    /// In a text; so deep was the object around.
    Text { text: Text, depth: usize },
    /// After a structure or a mark of it.
    After { is_new_line: bool },
    /// After an operator; whether a list began.
    Operand { is_list: bool, is_begun: bool },
    /// In the text of an operand.
    OperandText { text: Text, is_list: bool },
}

#[derive(Clone, Copy, Debug)]
enum Text {
    Quoted { is_escaped: bool },
    Special { depth: usize },
}

impl Stream {
    /// The start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next piece of the text; gives the structures that are complete with it.
    pub fn push(&mut self, piece: &str) -> Vec<Block> {
        self.buffer.push_str(piece);
        let mut blocks = Vec::new();
        let buffer = std::mem::take(&mut self.buffer);
        while let Some(c) = buffer[self.scanned..].chars().next() {
            if let Some(end) = self.scan(&buffer, c) {
                self.give(&buffer[self.given..end], &mut blocks);
                self.given = end;
            }
            self.scanned += c.len_utf8();
        }
        self.buffer = buffer;
        self.forget();
        blocks
    }

    /// The end of the text: what is still to be given. More can follow, as a new text would.
    pub fn finish(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let buffer = std::mem::take(&mut self.buffer);
        self.give(&buffer[self.given..], &mut blocks);
        (self.scanned, self.given, self.word, self.state) = (0, 0, None, State::Outside);
        blocks
    }

    /// Where the text so far departs from the grammar; each finding is given once.
    pub fn take_findings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.findings)
    }

    fn give(&mut self, text: &str, blocks: &mut Vec<Block>) {
        let (given, findings) = parse::read(text, self.start);
        blocks.extend(given);
        self.findings.extend(findings);
        let is_first = self.start.offset == 0;
        let counted = text.strip_prefix('\u{feff}').filter(|_| is_first).unwrap_or(text);
        let offset = self.start.offset + text.len();
        self.start = Position { offset, ..self.start.after(counted) };
    }

    /// Drops what was given.
    fn forget(&mut self) {
        if self.given > 0 {
            self.buffer.drain(..self.given);
            self.scanned -= self.given;
            self.word = self.word.and_then(|(start, end)| {
                Some((start.checked_sub(self.given)?, end.checked_sub(self.given)?))
            });
            self.given = 0;
        }
    }

    /// Looks at the next character; where a structure ends, if one does.
    fn scan(&mut self, buffer: &str, c: char) -> Option<usize> {
        match self.state {
            State::Outside => self.outside(buffer, c),
            State::Object { depth } => self.object(buffer, c, depth),
            State::Text { text, depth } => {
                self.state = match (text.after(c), depth) {
                    (Some(text), _) => State::Text { text, depth },
                    (None, 0) => State::After { is_new_line: false },
                    (None, _) => State::Object { depth },
                };
                None
            }
            State::After { is_new_line } => self.after(buffer, c, is_new_line),
            State::Operand { is_list, is_begun } => self.operand(buffer, c, is_list, is_begun),
            State::OperandText { text, is_list } => {
                self.state = match text.after(c) {
                    Some(text) => State::OperandText { text, is_list },
                    None if is_list => State::Operand { is_list, is_begun: true },
                    None => State::After { is_new_line: false },
                };
                None
            }
        }
    }

    fn outside(&mut self, buffer: &str, c: char) -> Option<usize> {
        let head = self.head(buffer, c)?;
        self.state = match c {
            '{' => State::Object { depth: 1 },
            _ => State::Text { text: Text::of(c)?, depth: 0 },
        };
        Some(head.start).filter(|start| *start > self.given)
    }

    fn object(&mut self, buffer: &str, c: char, depth: usize) -> Option<usize> {
        // The head of another structure where none can be: this one was not closed.
        if let Some(head) = self.head(buffer, c)
            && head.is_certain
        {
            self.state = match c {
                '{' => State::Object { depth: 1 },
                _ => State::Text { text: Text::of(c)?, depth: 0 },
            };
            return Some(head.start);
        }
        self.state = match c {
            '{' | '[' => State::Object { depth: depth + 1 },
            '}' | ']' if depth == 1 => State::After { is_new_line: false },
            '}' | ']' => State::Object { depth: depth - 1 },
            _ => Text::of(c).map_or(self.state, |text| State::Text { text, depth }),
        };
        None
    }

    fn after(&mut self, buffer: &str, c: char, is_new_line: bool) -> Option<usize> {
        if c.is_whitespace() {
            self.state = State::After { is_new_line: is_new_line || c == '\n' };
            return None;
        }
        if Postfix::of(c).is_some() || (c == ',' && !is_new_line) {
            self.state = State::Operand { is_list: false, is_begun: false };
            return None;
        }
        self.state = State::Outside;
        // On the same line it may still be a mark, in other signs than those of the format.
        let end = is_new_line.then_some(self.scanned);
        self.outside(buffer, c).or(end)
    }

    fn operand(&mut self, buffer: &str, c: char, is_list: bool, is_begun: bool) -> Option<usize> {
        let is_space = c.is_whitespace() || c == PICTURE;
        self.state = match c {
            _ if is_space && (is_list || !is_begun) => return None,
            '[' if !is_begun => State::Operand { is_list: true, is_begun: true },
            ']' if is_list => State::After { is_new_line: false },
            BULLET if is_list => return None,
            _ => match Text::of(c) {
                Some(text) if is_list || !is_begun => State::OperandText { text, is_list },
                _ if matches!(c, '{' | '}' | ',') || is_space || Postfix::of(c).is_some() => {
                    return self.after(buffer, c, false);
                }
                _ => State::Operand { is_list, is_begun: true },
            },
        };
        None
    }

    /// The head of a structure whose content begins with this character.
    fn head(&mut self, buffer: &str, c: char) -> Option<Begin> {
        if c.is_alphanumeric() || c == '_' {
            let end = self.scanned + c.len_utf8();
            self.word = match self.word {
                Some((start, until)) if until == self.scanned => Some((start, end)),
                _ => Some((self.scanned, end)),
            };
            return None;
        }
        if c.is_whitespace() {
            return None;
        }
        let (start, _) = self.word.take()?;
        if !matches!(c, '{' | '"' | OPEN) || start < self.given {
            return None;
        }
        let cursor = Cursor::new(&buffer[self.given..], Position::START);
        let head = parse::head(&cursor, start - self.given)?;
        let is_certain = head.is_certain && head.kind != BlockKind::Todo;
        (!head.is_word).then_some(Begin { start, is_certain })
    }
}

/// The head of a structure.
struct Begin {
    start: usize,
    is_certain: bool,
}

impl Text {
    fn of(c: char) -> Option<Self> {
        match c {
            '"' => Some(Self::Quoted { is_escaped: false }),
            OPEN => Some(Self::Special { depth: 1 }),
            _ => None,
        }
    }

    /// The text after one more character; none if that closes it.
    fn after(self, c: char) -> Option<Self> {
        match (self, c) {
            (Self::Quoted { is_escaped: false }, '"') | (Self::Special { depth: 1 }, CLOSE) => None,
            (Self::Quoted { is_escaped }, _) => {
                Some(Self::Quoted { is_escaped: !is_escaped && c == '\\' })
            }
            (Self::Special { depth }, OPEN) => Some(Self::Special { depth: depth + 1 }),
            (Self::Special { depth }, CLOSE) => Some(Self::Special { depth: depth - 1 }),
            (text @ Self::Special { .. }, _) => Some(text),
        }
    }
}
