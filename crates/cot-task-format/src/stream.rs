//! Reading a trace while it comes in.

use super::{
    block::{Block, BlockKind},
    diagnostic::Diagnostic,
    lex::{CLOSE, Cursor, OPEN, PICTURE, Postfix, ends_word},
    parse::{self, Depths, Head, parser},
    position::Position,
};

/// Reads a trace piece by piece, and gives each structure as soon as it is complete.
///
/// A structure is complete when what comes after it can be no mark of it, or when the text ends.
/// Each structure is read as [`recover`](super::recover) reads it. Where a text is so wrong that it is not
/// clear where a structure ends, the stream may part it elsewhere than `recover` parts the whole, but in the
/// same place however it is cut into pieces; a text without a closing quote is given at the end. Each character is looked at a fixed number of times, however small the pieces.
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
    /// Where the last structure ended.
    after_block: usize,
    /// Up to here no line between structures is a message of one word with a mark.
    no_message_before: usize,
    findings: Vec<Diagnostic>,
}

/// Where the scan stands.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Between structures.
    Outside { depths: Depths },
    /// In an object, so many braces and brackets deep.
    Object { depth: usize },
    /// In a text; so deep was the object around.
    Text { text: Text, depth: usize },
    /// After a structure or a mark of it; whether another name can follow a comma.
    After { is_new_line: bool, is_named: bool },
    /// After an operator, which takes names or a number.
    Operand { operand: Operand, is_named: bool },
    /// In the text of an operand.
    OperandText { text: Text, is_list: bool, is_named: bool },
    /// After a comma behind a name.
    Comma,
}

/// How much there is of what an operator takes.
#[derive(Clone, Copy, Debug)]
enum Operand {
    /// Nothing, not even space.
    Sign,
    Space,
    Word,
    List,
}

#[derive(Clone, Copy, Debug)]
enum Text {
    Quoted { is_escaped: bool },
    Special { depth: usize },
}

impl Default for State {
    fn default() -> Self {
        Self::Outside { depths: Depths::default() }
    }
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
        *self = Self {
            start: self.start,
            findings: std::mem::take(&mut self.findings),
            ..Self::default()
        };
        blocks
    }

    /// Up to which byte of the text all structures were given.
    #[doc(hidden)]
    #[must_use]
    pub const fn given(&self) -> usize {
        self.start.offset
    }

    /// Where the text so far departs from the grammar; each finding is given once.
    pub fn take_findings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.findings)
    }

    fn give(&mut self, text: &str, blocks: &mut Vec<Block>) {
        let (given, findings) = parser::read(text, self.start);
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
            self.after_block = self.after_block.saturating_sub(self.given);
            self.no_message_before = self.no_message_before.saturating_sub(self.given);
            self.word = self.word.and_then(|(start, end)| {
                Some((start.checked_sub(self.given)?, end.checked_sub(self.given)?))
            });
            self.given = 0;
        }
    }

    /// Looks at the next character; where a structure ends, if one does.
    fn scan(&mut self, buffer: &str, c: char) -> Option<usize> {
        match self.state {
            State::Outside { depths } => self.outside(buffer, c, depths),
            State::Object { depth } => self.object(buffer, c, depth),
            State::Text { text, depth } => {
                self.state = match (text.after(c), depth) {
                    (Some(text), _) => State::Text { text, depth },
                    (None, 0) => State::After { is_new_line: false, is_named: false },
                    (None, _) => State::Object { depth },
                };
                None
            }
            State::After { is_new_line, is_named } => self.after(buffer, c, is_new_line, is_named),
            State::Operand { operand, is_named } => self.operand(buffer, c, operand, is_named),
            State::OperandText { text, is_list, is_named } => {
                self.state = match text.after(c) {
                    Some(text) => State::OperandText { text, is_list, is_named },
                    None if is_list => State::Operand { operand: Operand::List, is_named },
                    None => State::After { is_new_line: false, is_named },
                };
                None
            }
            State::Comma => self.comma(buffer, c),
        }
    }

    fn outside(&mut self, buffer: &str, c: char, mut depths: Depths) -> Option<usize> {
        let begun = self.head(buffer, c).filter(|(_, head)| depths.may_begin(head));
        let start = if let Some((start, _)) = begun {
            self.state = State::content(c);
            // What stands before it on its line could mean something else without it.
            Some(start).filter(|start| self.may_cut(buffer, *start))?
        } else if let Some(postfix) = Postfix::of(c)
            && let Some(start) = self.message_of_one_word(buffer, depths)
        {
            self.state = State::operator(postfix);
            start
        } else {
            depths.add(c);
            self.state = State::Outside { depths };
            return None;
        };
        Some(start).filter(|start| *start > self.given)
    }

    fn may_cut(&self, buffer: &str, at: usize) -> bool {
        let is_behind_block = at == self.after_block;
        is_behind_block || Cursor::new(buffer, Position::START).begins_line(at)
    }

    /// Where a line like `user Hello` begins, if it is the last one that is not blank.
    fn message_of_one_word(&mut self, buffer: &str, depths: Depths) -> Option<usize> {
        let unseen = self.no_message_before.max(self.given);
        self.no_message_before = self.scanned;
        if unseen > self.given && !buffer[unseen..self.scanned].contains('\n') {
            return None;
        }
        let before = buffer[self.given..self.scanned].trim_end();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let cursor = Cursor::new(&buffer[self.given..], Position::START);
        let start = cursor.line_begin(line);
        // What stands before it may be the name of a mark.
        let is_free = self.given + start >= self.after_block;
        let head = parse::head(&cursor, start).filter(|head| is_free && depths.may_begin(head))?;
        let is_message = head.is_word && cursor.word_end(head.body) == before.len();
        is_message.then_some(self.given + start)
    }

    fn object(&mut self, buffer: &str, c: char, depth: usize) -> Option<usize> {
        // The head of another structure where none can be: this one was not closed.
        if let Some((start, head)) = self.head(buffer, c)
            && head.is_certain
            && head.kind != BlockKind::Todo
        {
            self.state = State::content(c);
            return Some(start);
        }
        self.state = match c {
            '{' | '[' => State::Object { depth: depth + 1 },
            '}' | ']' if depth == 1 => State::After { is_new_line: false, is_named: false },
            '}' | ']' => State::Object { depth: depth - 1 },
            _ => Text::of(c).map_or(self.state, |text| State::Text { text, depth }),
        };
        None
    }

    fn after(&mut self, buffer: &str, c: char, is_new_line: bool, is_named: bool) -> Option<usize> {
        if c.is_whitespace() {
            self.state = State::After { is_new_line: is_new_line || c == '\n', is_named };
            return None;
        }
        if let Some(postfix) = Postfix::of(c) {
            self.state = State::operator(postfix);
            return None;
        }
        // On the same line it may still be a mark, in other signs than those of the format.
        self.after_block = self.scanned;
        if c == ',' && is_named && !is_new_line {
            self.state = State::Comma;
            return None;
        }
        let end = is_new_line.then_some(self.scanned);
        self.outside(buffer, c, Depths::default()).or(end)
    }

    /// After a comma another name follows on the line; the comma is no part of the marks otherwise.
    fn comma(&mut self, buffer: &str, c: char) -> Option<usize> {
        if c.is_whitespace() && c != '\n' {
            return None;
        }
        if parse::begins_name(c) {
            return self.operand(buffer, c, Operand::Space, true);
        }
        self.outside(buffer, c, Depths::default())
    }

    fn operand(
        &mut self,
        buffer: &str,
        c: char,
        operand: Operand,
        is_named: bool,
    ) -> Option<usize> {
        let is_end = ends_word(c) || matches!(c, ',' | ';');
        let operand = match (operand, Text::of(c)) {
            (Operand::List, None) if c == ']' => {
                self.state = State::After { is_new_line: false, is_named: false };
                return None;
            }
            (Operand::Sign | Operand::Space | Operand::List, Some(text)) => {
                let is_list = matches!(operand, Operand::List);
                self.state = State::OperandText { text, is_list, is_named };
                return None;
            }
            (Operand::Sign | Operand::Space, _) if c == '[' => Operand::List,
            (Operand::Sign, _) if c == PICTURE => Operand::Space,
            (Operand::Sign | Operand::Space, _) if c.is_whitespace() => Operand::Space,
            (Operand::Sign | Operand::Space | Operand::Word, _) if is_end => {
                return self.after(buffer, c, false, is_named);
            }
            (Operand::List, _) => Operand::List,
            _ => Operand::Word,
        };
        self.state = State::Operand { operand, is_named };
        None
    }

    /// The head of a structure whose content begins with this character, and where it begins.
    fn head(&mut self, buffer: &str, c: char) -> Option<(usize, Head)> {
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
        (!head.is_word).then_some((start, head))
    }
}

impl State {
    /// After an operator.
    fn operator(postfix: Postfix) -> Self {
        Self::Operand { operand: Operand::Sign, is_named: postfix != Postfix::Confidence }
    }

    /// In the content that begins with this character.
    fn content(c: char) -> Self {
        match Text::of(c) {
            Some(text) => Self::Text { text, depth: 0 },
            None => Self::Object { depth: 1 },
        }
    }
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
