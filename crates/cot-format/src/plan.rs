//! Decides where each piece of Rust code of a body stands, before rustfmt formats it.

use crate::{
    indent::{Lines, STEP, indent_of, shift},
    lexer::{TokenKind, lex},
    outline::{Fragment, FragmentKind},
    snippets::{Snippet, Wrapper, compact},
    tree::{Entry, List, Piece},
};

/// The text of Rust code in the formatted body.
#[derive(Debug, Clone)]
pub(crate) enum Code {
    /// A text that is known without rustfmt.
    Ready(String),
    /// The index of a snippet.
    Formatted {
        snippet: usize,
        /// The columns by which the lines of the snippet are moved.
        columns: isize,
        /// The text as it is written, for code that rustfmt does not format.
        written: String,
    },
}

/// Plans the code of a body whose lines begin at a column. Snippets are added to a list.
pub(crate) fn plan(
    lines: &Lines<'_>,
    fragments: &[Fragment],
    body: &List,
    column: usize,
    width: usize,
    snippets: &mut Vec<Snippet>,
) -> Vec<Code> {
    let codes = vec![Code::Ready(String::new()); fragments.len()];
    let mut planner = Planner { lines, text: lines.text, fragments, width, snippets, codes };
    planner.list(body, column);
    planner.codes
}

struct Planner<'t> {
    lines: &'t Lines<'t>,
    text: &'t str,
    fragments: &'t [Fragment],
    width: usize,
    snippets: &'t mut Vec<Snippet>,
    codes: Vec<Code>,
}

/// The place of a piece of code.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The indentation of its line.
    indent: usize,
    /// The width of what precedes it on the line.
    before: usize,
    is_guard: bool,
    /// Whether it is on the line of code that may not be formatted, because of its comments.
    is_behind_lines: bool,
}

impl Planner<'_> {
    fn list(&mut self, list: &List, indent: usize) {
        for entry in &list.entries {
            self.entry(entry, indent + STEP);
        }
    }

    fn entry(&mut self, entry: &Entry, indent: usize) {
        let first = Place { indent, before: 0, is_guard: false, is_behind_lines: false };
        let mut place = first;
        for (index, piece) in entry.pieces.iter().enumerate() {
            match piece {
                Piece::Text(range) => {
                    let word = &self.text[range.clone()];
                    if begins_clause(self.text, &entry.pieces, index) {
                        place = Place { indent: indent + STEP, is_guard: word == "if", ..first };
                    }
                    let is_mark = matches!(word, ":" | "::" | "." | "..");
                    place.before +=
                        word.chars().count() + usize::from(place.before > 0 && !is_mark);
                }
                Piece::Comment(range) => {
                    let comment = &self.text[range.clone()];
                    place.before += comment.chars().count() + 1;
                    if ends_line(comment) {
                        place = Place { indent: indent + STEP, is_guard: place.is_guard, ..first };
                    }
                }
                Piece::Code(code) => {
                    self.code(*code, place);
                    let written = &self.text[self.fragments[*code].range.clone()];
                    place.is_behind_lines |= has_comment(written);
                    place.before += 1 + estimate(written);
                }
                Piece::List(list) => self.list(list, indent),
            }
        }
    }

    fn code(&mut self, index: usize, place: Place) {
        let Fragment { range, kind } = &self.fragments[index];
        let code = &self.text[range.clone()];
        let line = self.lines.before(range.start);
        let is_first = line.trim_start().is_empty() && place.before > 0;
        let written_at = indent_of(line).saturating_sub(if is_first { STEP } else { 0 });
        let written = shift(code, distance(written_at, place.indent));
        let before = place.before + usize::from(place.before > 0);
        let is_path = *kind == FragmentKind::StatePath;
        let fits = |code: &String| is_path || place.indent + before + code.len() < self.width;
        self.codes[index] = if let Some(code) = compact(code).filter(fits) {
            Code::Ready(code)
        } else if place.is_behind_lines {
            Code::Ready(code.to_owned())
        } else if is_path || is_difficult(code) {
            Code::Ready(written)
        } else {
            let depth = place.indent.div_ceil(STEP).max(1);
            let text = shift(code, distance(written_at, depth * STEP));
            let wrapper = match kind {
                FragmentKind::Type => Wrapper::Type(before),
                _ if place.is_guard && has_let(code) => Wrapper::Condition,
                _ => Wrapper::Assignment(before),
            };
            self.snippets.push(Snippet { text, depth, wrapper });
            let columns = distance(depth * STEP, place.indent);
            Code::Formatted { snippet: self.snippets.len() - 1, columns, written }
        };
    }
}

/// Returns whether a piece is the `with` or `if` of an entry, before which a long entry is broken.
pub(crate) fn begins_clause(text: &str, pieces: &[Piece], index: usize) -> bool {
    let Some(Piece::Text(range)) = pieces.get(index) else { return false };
    let mut following = pieces[index + 1..].iter();
    let value = following.find(|piece| !matches!(piece, Piece::Comment(_)));
    let is_value = match value {
        Some(Piece::Code(_)) => true,
        Some(Piece::Text(range)) => &text[range.clone()] == "model",
        _ => false,
    };
    index > 0 && is_value && matches!(&text[range.clone()], "with" | "if")
}

/// Returns whether an entry continues on the next line after a comment.
pub(crate) fn ends_line(comment: &str) -> bool {
    comment.starts_with("//") || comment.contains('\n')
}

fn distance(from: usize, to: usize) -> isize {
    to.cast_signed() - from.cast_signed()
}

/// Returns about the width of code on one line, without its comments.
fn estimate(code: &str) -> usize {
    let tokens = lex(code).unwrap_or_default();
    let tokens = tokens.into_iter().filter(|token| !token.kind.is_comment());
    let space = |kind: TokenKind| usize::from(kind == TokenKind::Punct(','));
    tokens.map(|token| code[token.range].chars().count() + space(token.kind)).sum()
}

/// The deepest nesting of delimiters in code that rustfmt formats. Its time can double with each closure in another one.
const MAX_NESTING: usize = 16;

/// Returns whether code stays as it is written: it has a comment of several lines, which rustfmt may break in another
/// way, or is deeply nested.
fn is_difficult(code: &str) -> bool {
    let mut depth = 0_usize;
    lex(code).unwrap_or_default().iter().any(|token| match token.kind {
        TokenKind::BlockComment => code[token.range.clone()].contains('\n'),
        TokenKind::Open(_) => {
            depth += 1;
            depth > MAX_NESTING
        }
        TokenKind::Close(_) => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => false,
    })
}

fn has_comment(code: &str) -> bool {
    lex(code).unwrap_or_default().iter().any(|token| token.kind.is_comment())
}

fn has_let(code: &str) -> bool {
    let tokens = lex(code).unwrap_or_default();
    tokens.iter().any(|token| &code[token.range.clone()] == "let")
}
