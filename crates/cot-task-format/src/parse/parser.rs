//! The parser: one for strict and for recovering reading.
//!
//! It never stops at a mistake. What it reads is the likeliest meaning, and each departure from
//! the grammar is a finding; strict reading is reading without errors. Every loop goes forward, and
//! what is searched ahead is remembered, so that time is linear in the text.

mod head;
mod marks;
mod nested;
mod quoted;
mod special;
mod stand_in;
mod stray;
mod word;

pub(super) use head::{Head, head};
pub(super) use marks::begins_name;
pub(super) use special::specials;
pub(super) use stray::Depths;

use self::{quoted::Quotes, special::Specials};
use super::{
    Block, Code, Diagnostic, Expr, MAX_DEPTH, Position, Value,
    diagnostic::Findings,
    lex::{Cursor, OPEN},
};

/// Reads the structures of a text that begins at a position.
pub(super) fn read(text: &str, start: Position) -> (Vec<Block>, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, start);
    let blocks = parser.blocks();
    (blocks, parser.findings.into_sorted())
}

#[derive(Debug)]
struct Parser<'t> {
    cursor: Cursor<'t>,
    findings: Findings,
    /// The braces and brackets around.
    open: Vec<char>,
    /// Whether the structure uses `:` or the like, so that `,` separates.
    is_ascii: bool,
    quotes: Quotes,
    specials: Specials,
}

const MARK: char = '\u{feff}';

impl<'t> Parser<'t> {
    fn new(text: &'t str, start: Position) -> Self {
        let mut cursor = Cursor::new(text, start);
        if start.offset == 0 && text.starts_with(MARK) {
            let begin = Position { offset: MARK.len_utf8(), ..start };
            cursor = Cursor::after(text, begin);
        }
        Self {
            cursor,
            findings: Findings::default(),
            open: Vec::new(),
            is_ascii: false,
            quotes: Quotes::default(),
            specials: Specials::default(),
        }
    }

    fn blocks(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        loop {
            self.cursor.skip_space();
            if self.cursor.is_end() {
                return blocks;
            }
            match head(&self.cursor, self.cursor.at) {
                Some(head) => blocks.push(self.block(head)),
                None => self.stray(),
            }
        }
    }

    fn block(&mut self, head: Head) -> Block {
        let position = self.cursor.position();
        let keyword = head.kind.keyword();
        if !head.is_exact {
            let message = format!("write `{keyword}` in lower case");
            self.findings.add(Code::StandIn, position, message);
        }
        self.is_ascii = false;
        self.cursor.at = head.body;
        let mut content = if head.is_word { self.plain_word() } else { self.value_here() };
        let is_right = match &content.value {
            Value::Text(_) => head.kind.is_message(),
            Value::Object(_) => !head.kind.is_message(),
            _ => false,
        };
        if !is_right {
            let needed =
                if head.kind.is_message() { "a text: `「…」`" } else { "an object: `{ … }`" };
            let message = format!("`{keyword}` takes {needed}");
            self.findings.add(Code::WrongContent, content.position, message);
        }
        self.marks(&mut content);
        Block { kind: head.kind, position, content }
    }

    /// An expression: a value and its marks.
    fn expr(&mut self) -> Expr {
        self.cursor.skip_space();
        let mut expr = self.value_here();
        self.marks(&mut expr);
        expr
    }

    fn value_here(&mut self) -> Expr {
        let position = self.cursor.position();
        let value = match self.cursor.peek() {
            Some('{' | '[') if self.open.len() >= MAX_DEPTH => self.skip_nested(position),
            Some('{') => self.object(position),
            Some('[') => self.array(position),
            Some('"') => Value::Text(self.quoted(position)),
            Some(OPEN) => Value::Text(self.special(position)),
            _ => self.stand_in_quotes(position).map_or_else(|| self.word(position), Value::Text),
        };
        Expr::at(value, position)
    }

    fn add(&mut self, code: Code, message: impl Into<String>) {
        let position = self.cursor.position();
        self.findings.add(code, position, message);
    }
}
