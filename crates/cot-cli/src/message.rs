//! Messages for people, on standard error.

use std::{
    error::Error,
    io::{self, Write},
    ops::Range,
};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::AutoStream;
use clap::ColorChoice;
use cot_schema::internal::sentence;
use cot_task_format::Position;

use crate::text::{escape_hidden, strip_byte_order_mark};

/// Sets whether messages are coloured.
pub(crate) fn color(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Prints an error with its sources.
pub(crate) fn error(error: &dyn Error) {
    print(Level::ERROR, sentence(error));
}

/// Prints a message about the input as a whole.
pub(crate) fn print(level: Level<'_>, text: impl Into<String>) {
    render(Group::with_title(level.primary_title(escape_hidden(&text.into()))), "\n");
}

/// A text with its name, for messages about positions in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) origin: &'t str,
    pub(crate) text: &'t str,
}

impl Source<'_> {
    /// Prints a message about a position, with an excerpt of the line.
    pub(crate) fn show(self, level: Level<'_>, code: Option<&str>, what: &str, at: Position) {
        let what = escape_hidden(what);
        let mut title = level.primary_title(&what);
        if let Some(code) = code {
            title = title.id(code);
        }
        let (number, column) = (at.line as usize, at.column as usize);
        let line = Line::around(self.text, at.offset);
        let mark = AnnotationKind::Primary.span(line.word());
        let snippet = Snippet::source(line.text).line_start(number).annotation(mark);
        let group = if line.is_from_start {
            title.element(snippet.path(self.origin))
        } else {
            // The column in the snippet differs from that in the line.
            let origin = Origin::path(self.origin).line(number).char_column(column);
            title.element(origin).element(snippet)
        };
        render(group, "\n\n");
    }
}

/// The line at a position. A long line is cut to a part that is wider than the displayed excerpt.
#[derive(Debug)]
struct Line<'t> {
    text: &'t str,
    is_from_start: bool,
    /// The position within `text`.
    offset: usize,
}

impl<'t> Line<'t> {
    fn around(text: &'t str, offset: usize) -> Self {
        const REACH: usize = 1000;
        let first = text.len() - strip_byte_order_mark(text).len();
        let offset = text.floor_char_boundary(offset).max(first);
        let from = text.floor_char_boundary(offset.saturating_sub(REACH)).max(first);
        let to = text.ceil_char_boundary(offset.saturating_add(REACH));
        let start = text[from..offset].rfind('\n').map(|end| from + end + 1);
        let end = text[offset..to].find('\n').map_or(to, |end| offset + end);
        let (start, is_from_start) = (start.unwrap_or(from), start.is_some() || from == first);
        let line = text[start..end].trim_end_matches('\r');
        Self { text: line, is_from_start, offset: (offset - start).min(line.len()) }
    }

    /// Returns the range of the word or single sign at the position.
    fn word(&self) -> Range<usize> {
        let rest = &self.text[self.offset..];
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let length = match rest.find(|c| !is_inner(c)) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(end) => end,
            None => rest.len(),
        };
        self.offset..self.offset + length
    }
}

fn render(group: Group<'_>, end: &str) {
    let text = Renderer::styled().render(&[group]);
    // An error on standard error can't be reported.
    let _ = write!(AutoStream::auto(io::stderr().lock()), "{text}{end}");
}
