//! The list of the texts of a prompt, as an entry contains it.

use cot_model::{PartName, Stability};
use serde::{Deserialize, Serialize};

/// The location of a text.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TextLocation {
    /// A fixed text, by its id.
    Fixed(i64),
    /// In the entry itself.
    Here(PartName, Stability, usize, usize),
    /// In another entry, by its number.
    InEntry(PartName, Stability, usize, usize, u64),
    /// Continues the text before it.
    Continued(PartName, Stability, usize, usize, u64, u8),
}

/// The range of a text that is not fixed: its first character, from 1, and its length in characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextRange {
    /// The first character, from 1.
    pub(crate) from: usize,
    /// The length in characters.
    pub(crate) length: usize,
}

impl TextRange {
    /// Returns the text of the range.
    pub(crate) fn slice(self, texts: &str) -> Option<&str> {
        let rest = &texts[nth_char(texts, self.from.checked_sub(1)?)?..];
        Some(&rest[..nth_char(rest, self.length)?])
    }
}

/// Returns the byte offset of a character, from 0; that of the end for the number after the last one.
fn nth_char(text: &str, number: usize) -> Option<usize> {
    let starts = text.char_indices().map(|(start, _)| start);
    starts.chain([text.len()]).nth(number)
}
