//! The place of a value in its source.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The place at which a value of an output stands in a source of `found_in`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The JSON path of the value in the output: `$.items[0].sku`.
    pub path: String,
    /// The source as the process declares it: `state.mail`. A text of a list has its number: `state.mails[2]`.
    pub source: String,
    /// The bytes of the source that are the value. Both ends are at boundaries of characters.
    pub range: Range<usize>,
    /// The source around the passage. It is cut if the passage is long.
    pub excerpt: String,
    /// The position of the excerpt in the source, in bytes.
    pub excerpt_start: usize,
}

/// The length of what an excerpt shows before and after a passage.
const AROUND: usize = 160;
/// Maximum length of the part of a passage that an excerpt shows.
const MAX_SHOWN: usize = 600;

impl Passage {
    pub(super) fn new(path: &str, source: &str, text: &str, range: Range<usize>) -> Self {
        let start = text.floor_char_boundary(range.start.saturating_sub(AROUND));
        let shown = range.end.min(range.start.saturating_add(MAX_SHOWN));
        let end = text.floor_char_boundary(shown.saturating_add(AROUND));
        let excerpt = text.get(start..end).unwrap_or_default().to_owned();
        let (path, source) = (path.to_owned(), source.to_owned());
        Self { path, source, range, excerpt, excerpt_start: start }
    }
}
