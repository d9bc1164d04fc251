//! Moves lines, except where that would change a literal.

use std::collections::HashSet;

use crate::lexer::{TokenKind, lex};

/// The width of a step of indentation.
pub(crate) const STEP: usize = 4;

/// Returns the width of the white space at the beginning of a line. A tab is as wide as a step.
pub(crate) fn indent_of(line: &str) -> usize {
    let space = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    space.map(|c| if c == '\t' { STEP } else { 1 }).sum()
}

/// A text whose lines are found fast, also where they are long.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    pub(crate) text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        Self { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// Returns the line that contains an offset, up to the offset.
    pub(crate) fn before(&self, offset: usize) -> &'t str {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        &self.text[self.starts[line]..offset]
    }
}

/// Moves the lines after the first by a number of columns. The lines within literals stay, and so do empty ones.
pub(crate) fn shift(text: &str, columns: isize) -> String {
    if columns == 0 || !text.contains('\n') {
        return text.to_owned();
    }
    let fixed = lines_in_literals(text);
    let mut shifted = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            shifted.push('\n');
        }
        let content = line.trim_start_matches([' ', '\t']);
        if index == 0 || content.is_empty() || fixed.contains(&index) {
            shifted.push_str(line);
            continue;
        }
        let width = indent_of(line).saturating_add_signed(columns);
        shifted.extend(std::iter::repeat_n(' ', width));
        shifted.push_str(content);
    }
    shifted
}

/// Returns the indices of the lines that begin within a literal.
fn lines_in_literals(text: &str) -> HashSet<usize> {
    let mut fixed = HashSet::new();
    let (mut line, mut end) = (0, 0);
    for token in lex(text).unwrap_or_default() {
        line += newlines(&text[end..token.range.start]);
        let inside = newlines(&text[token.range.clone()]);
        if token.kind == TokenKind::Literal {
            fixed.extend(line + 1..=line + inside);
        }
        line += inside;
        end = token.range.end;
    }
    fixed
}

fn newlines(text: &str) -> usize {
    text.matches('\n').count()
}
