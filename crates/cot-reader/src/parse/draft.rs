//! A string while it is read.

use super::note::Notes;

/// What a string is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Key,
    Value,
}

/// A string that is being read.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) notes: Notes,
    pub(super) start: usize,
    /// From where on the text is still to be copied.
    pub(super) run: usize,
    /// Quotes inside that were not escaped.
    pub(super) inner: u32,
    /// How much it costs to read them so, beside their number.
    pub(super) doubts: u32,
    /// How many brackets of JSON that is quoted inside are open.
    pub(super) embedded: u32,
    pub(super) has_control: bool,
    /// Whether it has escapes such as `\t`, backslashes written twice, and backslashes that start no escape.
    pub(super) has_escapes: bool,
    pub(super) has_pairs: bool,
    pub(super) has_bare: bool,
    /// Where a fence ended the text if the string has no end: lengths of the copy and of the text.
    pub(super) fence: Option<(usize, usize)>,
}

impl Draft {
    pub(super) fn new(start: usize) -> Self {
        Self {
            text: String::new(),
            notes: Notes::default(),
            start,
            run: start,
            inner: 0,
            doubts: 0,
            embedded: 0,
            has_control: false,
            has_escapes: false,
            has_pairs: false,
            has_bare: false,
            fence: None,
        }
    }
}
