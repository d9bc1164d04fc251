//! The state of a string that is being parsed.

use super::note::Notes;

/// The role of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StringRole {
    Key,
    Value,
}

/// A string that is being parsed.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) notes: Notes,
    pub(super) start: usize,
    /// The start of the text that has not been copied yet.
    pub(super) run: usize,
    /// The number of unescaped quotes inside.
    pub(super) inner: u32,
    /// The additional cost of ambiguous inner quotes.
    pub(super) doubts: u32,
    /// The number of open brackets of JSON quoted inside.
    pub(super) embedded: u32,
    pub(super) has_control: bool,
    /// Whether there are escapes such as `\t`.
    pub(super) has_escapes: bool,
    /// Whether there are doubled backslashes.
    pub(super) has_pairs: bool,
    /// Whether there are backslashes that start no escape.
    pub(super) has_bare: bool,
    /// The lengths of `text` and of the reply at a fence, which ends the JSON if the string is not closed.
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
