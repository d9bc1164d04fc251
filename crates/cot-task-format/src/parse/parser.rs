//! The parser, for strict and lenient reading.
//!
//! The parser never stops at an error. It reads the likeliest meaning and records each deviation from
//! the grammar as a finding; strict reading requires that none is an error. Every loop advances the
//! cursor, and the results of searching ahead are cached, so that the time is linear in the length of
//! the text.

use super::{
    head::{Head, head},
    lookahead::{QuoteSearch, SpecialQuoteSearch},
};
use crate::{
    block::Block,
    diagnostic::{Code, Diagnostic, Findings},
    lex::{Cursor, OPEN},
    position::Position,
    value::{Expr, MAX_DEPTH, Value},
};

/// Parses the structures of a text whose first byte is at `start`.
pub(crate) fn read(text: &str, start: Position) -> (Vec<Block>, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, start);
    let blocks = parser.blocks();
    (blocks, parser.findings.into_sorted())
}

#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) findings: Findings,
    /// The braces and brackets that are open at the cursor.
    pub(super) open: Vec<char>,
    /// Whether the structure uses `:` or a similar sign for `↦`, so that `,` separates entries.
    pub(super) is_ascii: bool,
    pub(super) quotes: QuoteSearch,
    pub(super) specials: SpecialQuoteSearch,
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
            quotes: QuoteSearch::default(),
            specials: SpecialQuoteSearch::default(),
        }
    }

    pub(super) fn blocks(&mut self) -> Vec<Block> {
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

    pub(super) fn block(&mut self, head: Head) -> Block {
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

    /// Parses an expression: a value and its marks.
    pub(super) fn expr(&mut self) -> Expr {
        self.cursor.skip_space();
        let mut expr = self.value_here();
        self.marks(&mut expr);
        expr
    }

    pub(super) fn value_here(&mut self) -> Expr {
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

    pub(super) fn add(&mut self, code: Code, message: impl Into<String>) {
        let position = self.cursor.position();
        self.findings.add(code, position, message);
    }
}
