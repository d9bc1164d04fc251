//! Incremental reading of a trace.

use super::{
    block::{Block, BlockKind},
    diagnostic::Diagnostic,
    lex::{CLOSE, Cursor, OPEN, PICTURE, Postfix, ends_word},
    parse::{self, Depths, Head, parser},
    position::Position,
};

/// Reads a trace in pieces and returns each structure as soon as it is complete.
///
/// A structure is complete when the text after it can't be a mark of it, or at the end of the text.
/// Each structure is read as by [`recover`](super::recover). In a malformed text where the end of a
/// structure is ambiguous, the stream may split structures at other places than `recover` does for the
/// whole text; the places do not depend on how the text is cut into pieces. A text without a closing
/// quote is returned at the end. Each character is examined a constant number of times, however small
/// the pieces are.
///
/// ```
/// use cot_core::task_format::Stream;
///
/// let mut stream = Stream::new();
/// assert!(stream.push("user「Hel").is_empty());
/// assert!(stream.push("lo」🏷 usr").is_empty());
/// let blocks = stream.push("1\n\nplan {");
/// assert_eq!(blocks[0].content.tags()[0].value, "usr1");
/// assert_eq!(stream.finish().len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stream {
    buffer: String,
    /// The position of the first byte of the buffer.
    start: Position,
    /// The offset in the buffer up to which it was scanned.
    scanned: usize,
    /// The offset in the buffer up to which structures were returned.
    returned: usize,
    state: State,
    word: Option<(usize, usize)>,
    /// The offset of the end of the last structure.
    after_block: usize,
    /// Before this offset, no line between structures is a one-word message with a mark.
    no_message_before: usize,
    findings: Vec<Diagnostic>,
}

/// The state of the scan.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Between structures.
    Outside { depths: Depths },
    /// In an object; `depth` counts the open braces and brackets.
    Object { depth: usize },
    /// In a text; `depth` is that of the surrounding object.
    Text { text: Text, depth: usize },
    /// After a structure or one of its marks; `is_named` tells whether a comma can be followed by
    /// another name.
    After { is_new_line: bool, is_named: bool },
    /// After an operator, in its operand of names or a number.
    Operand { operand: Operand, is_named: bool },
    /// In a quoted text of an operand.
    OperandText { text: Text, is_list: bool, is_named: bool },
    /// After a comma that follows a name.
    Comma,
}

/// The part of an operator's operand that was read.
#[derive(Clone, Copy, Debug)]
enum Operand {
    /// Only the operator; not even whitespace.
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
    /// Creates a stream at the start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the next piece of the text. Returns the structures that it completes.
    pub fn push(&mut self, piece: &str) -> Vec<Block> {
        self.buffer.push_str(piece);
        let mut blocks = Vec::new();
        let buffer = std::mem::take(&mut self.buffer);
        while let Some(c) = buffer[self.scanned..].chars().next() {
            if let Some(end) = self.scan(&buffer, c) {
                self.read_blocks(&buffer[self.returned..end], &mut blocks);
                self.returned = end;
            }
            self.scanned += c.len_utf8();
        }
        self.buffer = buffer;
        self.drop_returned();
        blocks
    }

    /// Ends the text and returns the remaining structures. A following `push` begins a new text.
    pub fn finish(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let buffer = std::mem::take(&mut self.buffer);
        self.read_blocks(&buffer[self.returned..], &mut blocks);
        *self = Self {
            start: self.start,
            findings: std::mem::take(&mut self.findings),
            ..Self::default()
        };
        blocks
    }

    /// Returns the offset in the text up to which structures were returned.
    #[doc(hidden)]
    #[must_use]
    pub const fn returned_bytes(&self) -> usize {
        self.start.offset
    }

    /// Takes the deviations from the grammar that were found since the last call.
    pub fn take_findings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.findings)
    }

    fn read_blocks(&mut self, text: &str, blocks: &mut Vec<Block>) {
        let (returned, findings) = parser::read(text, self.start);
        blocks.extend(returned);
        self.findings.extend(findings);
        let is_first = self.start.offset == 0;
        let counted = text.strip_prefix('\u{feff}').filter(|_| is_first).unwrap_or(text);
        let offset = self.start.offset + text.len();
        self.start = Position { offset, ..self.start.after(counted) };
    }

    /// Removes the returned structures from the buffer.
    fn drop_returned(&mut self) {
        if self.returned > 0 {
            self.buffer.drain(..self.returned);
            self.scanned -= self.returned;
            self.after_block = self.after_block.saturating_sub(self.returned);
            self.no_message_before = self.no_message_before.saturating_sub(self.returned);
            self.word = self.word.and_then(|(start, end)| {
                Some((start.checked_sub(self.returned)?, end.checked_sub(self.returned)?))
            });
            self.returned = 0;
        }
    }

    /// Processes the next character. Returns the end of a structure if the character completes one.
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
            // The text before the head on its line could have another meaning without it.
            Some(start).filter(|start| self.may_cut(buffer, *start))?
        } else if let Some(postfix) = Postfix::from_char(c)
            && let Some(start) = self.message_of_one_word(buffer, depths)
        {
            self.state = State::operator(postfix);
            start
        } else {
            depths.add(c);
            self.state = State::Outside { depths };
            return None;
        };
        Some(start).filter(|start| *start > self.returned)
    }

    fn may_cut(&self, buffer: &str, at: usize) -> bool {
        let is_behind_block = at == self.after_block;
        is_behind_block || Cursor::new(buffer, Position::START).begins_line(at)
    }

    /// Finds the start of a line like `user Hello`, if it is the last line that is not blank.
    fn message_of_one_word(&mut self, buffer: &str, depths: Depths) -> Option<usize> {
        let unseen = self.no_message_before.max(self.returned);
        self.no_message_before = self.scanned;
        if unseen > self.returned && !buffer[unseen..self.scanned].contains('\n') {
            return None;
        }
        let before = buffer[self.returned..self.scanned].trim_end();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let cursor = Cursor::new(&buffer[self.returned..], Position::START);
        let start = cursor.line_begin(line);
        // The text before it may be the name of a mark.
        let is_free = self.returned + start >= self.after_block;
        let head = parse::head(&cursor, start).filter(|head| is_free && depths.may_begin(head))?;
        let is_message = head.is_word && cursor.word_end(head.body) == before.len();
        is_message.then_some(self.returned + start)
    }

    fn object(&mut self, buffer: &str, c: char, depth: usize) -> Option<usize> {
        // A head where no structure can begin: the current one is unclosed.
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
            _ => Text::from_open_quote(c).map_or(self.state, |text| State::Text { text, depth }),
        };
        None
    }

    fn after(&mut self, buffer: &str, c: char, is_new_line: bool, is_named: bool) -> Option<usize> {
        if c.is_whitespace() {
            self.state = State::After { is_new_line: is_new_line || c == '\n', is_named };
            return None;
        }
        if let Some(postfix) = Postfix::from_char(c) {
            self.state = State::operator(postfix);
            return None;
        }
        // On the same line it may still be a mark that is written with a replacement sign.
        self.after_block = self.scanned;
        if c == ',' && is_named && !is_new_line {
            self.state = State::Comma;
            return None;
        }
        let end = is_new_line.then_some(self.scanned);
        self.outside(buffer, c, Depths::default()).or(end)
    }

    /// Processes a character after a comma: a name continues the marks; otherwise the comma is not part
    /// of them.
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
        let operand = match (operand, Text::from_open_quote(c)) {
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

    /// Returns the head of the structure whose content begins with `c`, and the offset of the head.
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
        if !matches!(c, '{' | '"' | OPEN) || start < self.returned {
            return None;
        }
        let cursor = Cursor::new(&buffer[self.returned..], Position::START);
        let head = parse::head(&cursor, start - self.returned)?;
        (!head.is_word).then_some((start, head))
    }
}

impl State {
    /// The state after an operator.
    fn operator(postfix: Postfix) -> Self {
        Self::Operand { operand: Operand::Sign, is_named: postfix != Postfix::Confidence }
    }

    /// The state within the content that begins with `c`.
    fn content(c: char) -> Self {
        match Text::from_open_quote(c) {
            Some(text) => Self::Text { text, depth: 0 },
            None => Self::Object { depth: 1 },
        }
    }
}

impl Text {
    fn from_open_quote(c: char) -> Option<Self> {
        match c {
            '"' => Some(Self::Quoted { is_escaped: false }),
            OPEN => Some(Self::Special { depth: 1 }),
            _ => None,
        }
    }

    /// Advances over the next character. Returns `None` if it closes the text.
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
