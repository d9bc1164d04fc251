//! Positions in a text.

use std::fmt;

/// A position in a text.
///
/// A line ends with a line feed, with or without a carriage return before it. A byte order mark at the
/// start of the text counts only for the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The offset in bytes from the start of the text.
    pub offset: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters (Unicode scalar values), from 1.
    pub column: u32,
}

impl Position {
    /// The position of the first character. Values that were not read from a text have it too.
    pub const START: Self = Self { offset: 0, line: 1, column: 1 };

    /// Returns the position after a whole text.
    #[must_use]
    pub(super) fn at_end(text: &str) -> Self {
        let end = Self::START.after(text.strip_prefix('\u{feff}').unwrap_or(text));
        Self { offset: text.len(), ..end }
    }

    /// Advances the position over `text`.
    #[must_use]
    pub(super) fn after(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        self.offset += bytes.len();
        let last_line = match memchr::memrchr(b'\n', bytes) {
            Some(end) => {
                let lines = memchr::memchr_iter(b'\n', bytes).count();
                self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
                self.column = 1;
                &text[end + 1..]
            }
            None => text,
        };
        let columns = u32::try_from(last_line.chars().count()).unwrap_or(u32::MAX);
        self.column = self.column.saturating_add(columns);
        self
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::START
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
