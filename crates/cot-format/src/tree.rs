//! The lists of a body, with their entries and comments.
//!
//! All values of the language have one form here: entries, separated by commas, of words, Rust code and lists. So an
//! item that is added to the grammar needs no layout of its own.

use std::{collections::HashSet, ops::Range};

use crate::{
    lexer::{Token, TokenKind, is_doc},
    outline::Outline,
};

/// The content of brackets or braces.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// The opening delimiter.
    pub(crate) open: char,
    /// Whether the first entry is on the line of the opening delimiter.
    pub(crate) begins_inline: bool,
    /// The comment on the line of the opening delimiter.
    pub(crate) open_comment: Option<Range<usize>>,
    pub(crate) entries: Vec<Entry>,
    /// The comments before the closing delimiter.
    pub(crate) end: Vec<Leading>,
}

/// An entry of a list: an item, a declaration, or an element.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The comments and attributes before it.
    pub(crate) leading: Vec<Leading>,
    /// Whether an empty line precedes the first piece.
    pub(crate) blank_before: bool,
    pub(crate) pieces: Vec<Piece>,
    /// The comments behind it, on its line.
    pub(crate) trailing: Vec<Range<usize>>,
    /// Whether it is a task or a sequence, which no comma follows.
    pub(crate) is_declaration: bool,
}

/// A comment or an attribute before an entry.
#[derive(Debug)]
pub(crate) struct Leading {
    pub(crate) range: Range<usize>,
    pub(crate) blank_before: bool,
    /// Whether what follows is on the next line.
    pub(crate) ends_line: bool,
    pub(crate) is_attribute: bool,
}

/// A part of an entry.
#[derive(Debug)]
pub(crate) enum Piece {
    /// A word, a literal, a punctuation mark, or parentheses.
    Text(Range<usize>),
    /// A comment within the entry.
    Comment(Range<usize>),
    /// The index of Rust code.
    Code(usize),
    List(List),
}

/// The comments between two tokens, and the comma among them.
#[derive(Debug, Default)]
struct Gap {
    comments: Vec<GapComment>,
    /// The number of comments before the comma.
    before_comma: usize,
    ends_line: bool,
    blank_at_end: bool,
}

#[derive(Debug)]
struct GapComment {
    range: Range<usize>,
    starts_line: bool,
    blank_before: bool,
    is_line: bool,
}

/// Builds the list of a whole body.
pub(crate) fn build(text: &str, tokens: &[Token], outline: &Outline) -> List {
    let declarations = declarations(tokens, &outline.names);
    let next = next_tokens(tokens);
    let mut builder = Builder { text, tokens, next, outline, declarations, at: 0, end: 0 };
    let mut body = builder.list('{');
    for process in &mut body.entries {
        process.is_declaration = true;
        for piece in &mut process.pieces {
            if let Piece::List(items) = piece {
                items.begins_inline = false;
            }
        }
    }
    body.begins_inline = false;
    body
}

/// Returns the offsets of the keywords before the names.
fn declarations(tokens: &[Token], names: &HashSet<usize>) -> HashSet<usize> {
    let mut found = HashSet::new();
    let mut last = None;
    for token in tokens.iter().filter(|token| !token.kind.is_comment()) {
        if names.contains(&token.range.start) {
            found.extend(last);
        }
        last = Some(token.range.start);
    }
    found
}

/// Returns for each index that of the first token from there on which is no comment.
fn next_tokens(tokens: &[Token]) -> Vec<usize> {
    let mut next = vec![tokens.len(); tokens.len()];
    let mut last = tokens.len();
    for (index, token) in tokens.iter().enumerate().rev() {
        if !token.kind.is_comment() {
            last = index;
        }
        next[index] = last;
    }
    next
}

struct Builder<'t> {
    text: &'t str,
    tokens: &'t [Token],
    next: Vec<usize>,
    outline: &'t Outline,
    /// The offsets at which declarations begin.
    declarations: HashSet<usize>,
    /// The index of the next token.
    at: usize,
    /// The end of the last token.
    end: usize,
}

impl<'t> Builder<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    fn advance(&mut self) -> Range<usize> {
        let range = self.peek().map_or(self.end..self.end, |token| token.range.clone());
        self.at += 1;
        self.end = range.end;
        range
    }

    fn is_at_end(&self) -> bool {
        matches!(self.kind(), None | Some(TokenKind::Close(_)))
    }

    /// Reads a list after its opening delimiter, up to its closing one.
    fn list(&mut self, open: char) -> List {
        let mut list = List { open, ..List::default() };
        let next = self.peek().map_or(self.text.len(), |token| token.range.start);
        list.begins_inline = !self.text[self.end..next].contains('\n');
        let mut gap = self.gap();
        if gap.comments.first().is_some_and(|first| !first.starts_line && !self.is_doc(first))
            && gap.ends_line_after(0)
        {
            list.open_comment = Some(gap.comments.remove(0).range);
            list.begins_inline = false;
        }
        loop {
            if self.is_at_end() {
                list.end = gap.into_leading();
                return list;
            }
            let mut entry = self.entry(gap);
            gap = self.gap();
            let trailing = gap.trailing(self.is_at_end(), |comment| self.is_doc(comment));
            entry.trailing = gap.comments.drain(..trailing).map(|comment| comment.range).collect();
            list.entries.push(entry);
        }
    }

    fn is_doc(&self, comment: &GapComment) -> bool {
        is_doc(&self.text[comment.range.clone()])
    }

    fn entry(&mut self, gap: Gap) -> Entry {
        let mut entry = Entry { blank_before: gap.blank_at_end, ..Entry::default() };
        entry.leading = gap.into_leading();
        while self.kind() == Some(TokenKind::Punct('#')) {
            let start = self.advance().start;
            self.skip_group();
            let range = start..self.end;
            let gap = self.gap();
            let blank_before = std::mem::replace(&mut entry.blank_before, gap.blank_at_end);
            let is_attribute = true;
            entry.leading.push(Leading { range, blank_before, ends_line: true, is_attribute });
            entry.leading.extend(gap.into_leading());
        }
        let start = self.peek().map(|token| token.range.start);
        entry.is_declaration = start.is_some_and(|start| self.declarations.contains(&start));
        while !self.is_entry_end(!entry.pieces.is_empty()) {
            entry.pieces.push(self.piece());
        }
        if entry.pieces.is_empty() && !self.is_at_end() {
            // A comma without an entry, which the grammar refuses.
            let range = self.advance();
            entry.pieces.push(Piece::Text(range));
        }
        entry
    }

    /// Returns whether an entry that has begun, or not, ends before the next token.
    fn is_entry_end(&self, has_begun: bool) -> bool {
        let next = self.next.get(self.at).and_then(|next| self.tokens.get(*next));
        let Some(token) = next else { return true };
        match token.kind {
            TokenKind::Close(_) | TokenKind::Punct(',') => true,
            TokenKind::Punct('#') => has_begun,
            TokenKind::Word => {
                let start = token.range.start;
                let begins =
                    self.outline.keys.contains(&start) || self.declarations.contains(&start);
                has_begun && begins
            }
            _ => false,
        }
    }

    fn piece(&mut self) -> Piece {
        let Some(token) = self.peek() else { return Piece::Text(self.end..self.end) };
        let fragments = &self.outline.fragments;
        let code = fragments.binary_search_by_key(&token.range.start, |code| code.range.start);
        if let Ok(index) = code
            && !token.kind.is_comment()
        {
            self.end = fragments[index].range.end;
            self.at = self.tokens.partition_point(|token| token.range.start < self.end);
            return Piece::Code(index);
        }
        match token.kind {
            TokenKind::LineComment | TokenKind::BlockComment => Piece::Comment(self.advance()),
            TokenKind::Open('(') => {
                let start = token.range.start;
                self.skip_group();
                Piece::Text(start..self.end)
            }
            TokenKind::Open(open) => {
                self.advance();
                let list = self.list(open);
                self.advance();
                Piece::List(list)
            }
            TokenKind::Punct(_) => Piece::Text(self.operator()),
            _ => Piece::Text(self.advance()),
        }
    }

    /// Reads a punctuation mark of one or two characters.
    fn operator(&mut self) -> Range<usize> {
        let first = self.advance();
        let both = first.start..first.end + 1;
        let is_pair = matches!(self.text.get(both.clone()), Some("->" | "=>" | "::" | ".."));
        if is_pair {
            self.advance();
            return both;
        }
        first
    }

    /// Skips a group with its delimiters.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
            if depth == 0 && !kind.is_comment() {
                return;
            }
        }
    }

    /// Reads the comments before the next token, and a comma among them.
    fn gap(&mut self) -> Gap {
        let mut gap = Gap::default();
        let mut has_comma = false;
        // The lines since the last comment, which a comma does not end.
        let mut lines = 0;
        while let Some(token) = self.peek() {
            let since = self.text[self.end..token.range.start].matches('\n').count();
            match token.kind {
                TokenKind::LineComment | TokenKind::BlockComment => {
                    gap.comments.push(GapComment {
                        range: self.advance(),
                        starts_line: since > 0,
                        blank_before: lines + since > 1,
                        is_line: token.kind == TokenKind::LineComment,
                    });
                    lines = 0;
                }
                TokenKind::Punct(',') if !has_comma => {
                    has_comma = true;
                    gap.before_comma = gap.comments.len();
                    lines += since;
                    self.advance();
                }
                _ => {
                    lines += since;
                    break;
                }
            }
        }
        if self.peek().is_none() {
            lines += self.text[self.end..].matches('\n').count();
        }
        (gap.ends_line, gap.blank_at_end) = (lines > 0, lines > 1);
        gap
    }
}

impl Gap {
    /// Returns whether what follows a comment is on another line.
    fn ends_line_after(&self, index: usize) -> bool {
        let next = self.comments.get(index + 1);
        self.comments[index].is_line || next.map_or(self.ends_line, |next| next.starts_line)
    }

    /// Returns the number of comments that belong to the entry before them: those on its line, unless another entry
    /// follows on that line.
    fn trailing(&self, is_last: bool, is_doc: impl Fn(&GapComment) -> bool) -> usize {
        let mut count = 0;
        for (index, comment) in self.comments.iter().enumerate() {
            if comment.starts_line || is_doc(comment) {
                break;
            }
            count = index + 1;
            if comment.is_line {
                break;
            }
        }
        let entry_follows = count == self.comments.len() && !is_last;
        if count > 0
            && !self.ends_line_after(count - 1)
            && (entry_follows || count < self.comments.len())
        {
            count = count.min(self.before_comma);
        }
        count
    }

    fn into_leading(self) -> Vec<Leading> {
        let last = self.comments.len();
        let ends: Vec<bool> = (0..last).map(|index| self.ends_line_after(index)).collect();
        let leading = self.comments.into_iter().zip(ends).map(|(comment, ends_line)| Leading {
            range: comment.range,
            blank_before: comment.blank_before,
            ends_line,
            is_attribute: false,
        });
        leading.collect()
    }
}
