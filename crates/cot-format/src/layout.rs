//! Writes the lists of a body.

use std::ops::Range;

use crate::{
    indent::{Lines, STEP, indent_of, shift},
    lexer::is_doc,
    plan::{begins_clause, ends_line},
    tree::{Entry, Leading, List, Piece},
};

/// Writes a body.
#[derive(Debug)]
pub(crate) struct Layout<'t> {
    /// The body as it is written.
    pub(crate) text: &'t str,
    pub(crate) lines: &'t Lines<'t>,
    /// The formatted Rust code.
    pub(crate) codes: &'t [String],
    /// The white space before the line of the invocation.
    pub(crate) base: &'t str,
    pub(crate) width: usize,
}

/// An entry that is being written.
struct Line {
    text: String,
    /// The indentation of its first line.
    indent: usize,
    /// The last word or mark, if it decides about the space behind it.
    last: String,
}

impl Line {
    fn column(&self) -> usize {
        match self.text.rfind('\n') {
            Some(end) => self.text[end + 1..].chars().count(),
            None => self.indent + self.text.chars().count(),
        }
    }

    /// Adds a piece, with a space where one is due.
    fn push(&mut self, piece: &str) {
        let at_start = self.text.is_empty() || self.text.ends_with([' ', '\n']);
        if !at_start && !piece.starts_with('\n') && is_spaced(&self.last, piece) {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        piece.clone_into(&mut self.last);
    }
}

/// Returns whether a space stands between two pieces.
fn is_spaced(before: &str, after: &str) -> bool {
    let is_closed = matches!(after, ":" | "::" | "." | ".." | "?" | ";");
    let is_open = matches!(before, "::" | "." | ".." | "-" | "!" | "#" | "&");
    let is_visibility = before == "pub" && after.starts_with('(');
    !(is_closed || is_open || is_visibility)
}

impl Layout<'_> {
    /// Writes the whole body, from the opening delimiter of the invocation to the closing one.
    pub(crate) fn body(&self, body: &List) -> String {
        let indent = indent_of(self.base);
        let mut out = String::new();
        self.content(body, indent, &mut out);
        out.push_str(&self.new_line(indent));
        out
    }

    fn new_line(&self, indent: usize) -> String {
        let rest = indent.saturating_sub(indent_of(self.base));
        format!("\n{}{}", self.base, " ".repeat(rest))
    }

    /// Writes a list with a line for each entry.
    fn broken(&self, list: &List, indent: usize) -> String {
        let mut out = String::from(list.open);
        self.content(list, indent, &mut out);
        out.push_str(&self.new_line(indent));
        out.push(closing(list.open));
        out
    }

    fn content(&self, list: &List, indent: usize, out: &mut String) {
        if let Some(comment) = &list.open_comment {
            out.push(' ');
            out.push_str(self.comment(comment));
        }
        let inner = indent + STEP;
        let mut after_long_task = false;
        for (index, entry) in list.entries.iter().enumerate() {
            let comma = if entry.is_declaration { "" } else { "," };
            let text = self.entry(entry, inner, comma.len());
            let is_long_task = entry.is_declaration && text.contains('\n');
            let is_apart = is_long_task || after_long_task;
            after_long_task = is_long_task;
            let mut blank = index > 0 && is_apart;
            let (mut has_room, mut continues) = (index > 0, false);
            for leading in &entry.leading {
                self.separate(has_room && (blank || leading.blank_before), continues, inner, out);
                (blank, has_room) = (false, true);
                let text = self.leading(leading, inner);
                continues = !leading.ends_line && !text.contains('\n');
                out.push_str(&text);
            }
            self.separate(has_room && (blank || entry.blank_before), continues, inner, out);
            out.push_str(&text);
            out.push_str(comma);
            for comment in &entry.trailing {
                out.push(' ');
                out.push_str(self.comment(comment));
            }
        }
        let mut has_room = !list.entries.is_empty();
        for leading in &list.end {
            self.separate(has_room && leading.blank_before, false, inner, out);
            out.push_str(&self.leading(leading, inner));
            has_room = true;
        }
    }

    /// Begins the next line, or the next word of a line that continues.
    fn separate(&self, blank: bool, continues: bool, indent: usize, out: &mut String) {
        if continues {
            out.push(' ');
            return;
        }
        if blank {
            out.push('\n');
        }
        out.push_str(&self.new_line(indent));
    }

    fn leading(&self, leading: &Leading, indent: usize) -> String {
        let text = &self.text[leading.range.clone()];
        let is_fixed = !leading.is_attribute && is_doc(text);
        let written_at = indent_of(self.lines.before(leading.range.start));
        let columns = indent.cast_signed() - written_at.cast_signed();
        match is_fixed {
            true => text.to_owned(),
            false => shift(text, columns).trim_end().to_owned(),
        }
    }

    fn comment(&self, range: &Range<usize>) -> &str {
        let text = &self.text[range.clone()];
        if is_doc(text) { text } else { text.trim_end() }
    }

    /// Writes an entry, on one line if it fits before a number of columns.
    fn entry(&self, entry: &Entry, indent: usize, suffix: usize) -> String {
        let pieces = &entry.pieces;
        if let Some(flat) = self.flat(pieces)
            && indent + flat.chars().count() + suffix <= self.width
        {
            return flat;
        }
        let mut line = Line { text: String::new(), indent, last: String::new() };
        for (index, piece) in pieces.iter().enumerate() {
            if begins_clause(self.text, pieces, index) {
                self.begin_clause(pieces, index, suffix, &mut line);
            }
            match piece {
                Piece::Text(range) => line.push(&self.text[range.clone()]),
                Piece::Comment(range) => {
                    let comment = self.comment(range);
                    line.push(comment);
                    if ends_line(comment) {
                        line.text.push_str(&self.new_line(indent + STEP));
                    }
                }
                Piece::Code(code) => line.push(&self.codes[*code]),
                Piece::List(list) => {
                    let rest = self.rest(pieces, index, suffix);
                    let room = self.width.saturating_sub(line.column() + 1 + rest);
                    let fits = |flat: &String| flat.chars().count() <= room;
                    let flat = self.flat_list(list).filter(fits);
                    line.push(&flat.unwrap_or_else(|| self.broken(list, indent)));
                }
            }
        }
        line.text
    }

    /// Begins the line of a clause, or continues that of a closing brace.
    fn begin_clause(&self, pieces: &[Piece], index: usize, suffix: usize, line: &mut Line) {
        let after_list = matches!(pieces.get(index - 1), Some(Piece::List(_)));
        let is_long = line.text.contains('\n');
        let width = self.clause_width(pieces, index, suffix);
        let fits = width.is_some_and(|width| line.column() + 1 + width <= self.width);
        let is_below = line.text.trim_end_matches(' ').ends_with('\n');
        if !(is_below || after_list && is_long && fits) {
            line.text.push_str(&self.new_line(line.indent + STEP));
        }
    }

    /// Returns the width of a clause that fits on one line.
    fn clause_width(&self, pieces: &[Piece], index: usize, suffix: usize) -> Option<usize> {
        let end = self.end_of_clause(pieces, index);
        let flat = self.flat(&pieces[index..end])?;
        Some(flat.chars().count() + suffix)
    }

    /// Returns the index of the first clause after a piece, or of the end.
    fn end_of_clause(&self, pieces: &[Piece], index: usize) -> usize {
        let mut following = index + 1..pieces.len();
        following.find(|next| begins_clause(self.text, pieces, *next)).unwrap_or(pieces.len())
    }

    /// Returns the width of what follows a list on its line.
    fn rest(&self, pieces: &[Piece], index: usize, suffix: usize) -> usize {
        let end = self.end_of_clause(pieces, index);
        let flat = self.flat(&pieces[index + 1..end]);
        let width = flat.map_or(0, |flat| flat.chars().count());
        let space = usize::from(width > 0);
        width + space + if end == pieces.len() { suffix } else { 0 }
    }

    /// Writes pieces on one line, if they have no line breaks of their own.
    fn flat(&self, pieces: &[Piece]) -> Option<String> {
        let mut line = Line { text: String::new(), indent: 0, last: String::new() };
        for piece in pieces {
            match piece {
                Piece::Text(range) => line.push(&self.text[range.clone()]),
                Piece::Comment(range) => line.push(self.inline_comment(range)?),
                Piece::Code(code) => line.push(&self.codes[*code]),
                Piece::List(list) => line.push(&self.flat_list(list)?),
            }
        }
        (!line.text.contains('\n')).then_some(line.text)
    }

    fn flat_list(&self, list: &List) -> Option<String> {
        let is_empty = list.entries.is_empty();
        if !list.end.is_empty() || list.open_comment.is_some() || !(list.begins_inline || is_empty)
        {
            return None;
        }
        let entries: Option<Vec<String>> =
            list.entries.iter().map(|entry| self.flat_entry(entry)).collect();
        let entries = entries?.join(", ");
        let close = closing(list.open);
        Some(match list.open {
            '{' if !is_empty => format!("{{ {entries} }}"),
            open => format!("{open}{entries}{close}"),
        })
    }

    fn flat_entry(&self, entry: &Entry) -> Option<String> {
        let mut words = Vec::new();
        for leading in &entry.leading {
            let is_inline = !leading.is_attribute && !leading.ends_line;
            words.push(is_inline.then(|| self.inline_comment(&leading.range))??);
        }
        let flat = self.flat(&entry.pieces)?;
        words.push(&flat);
        for comment in &entry.trailing {
            words.push(self.inline_comment(comment)?);
        }
        Some(words.join(" "))
    }

    /// Returns a comment after which a line can continue.
    fn inline_comment(&self, range: &Range<usize>) -> Option<&str> {
        let text = self.comment(range);
        (text.starts_with("/*") && !text.contains('\n') && !is_doc(text)).then_some(text)
    }
}

const fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}
