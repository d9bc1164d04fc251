//! The delta between two texts: what to copy, and what to insert.

use serde::{Deserialize, Serialize};

use super::search::{CopyRange, find_copies};

/// The difference between two texts: copied ranges of the old text, and new text between them.
///
/// Successive snapshots of a run resemble each other: a list has one more item, a counter is larger. A delta
/// is about as long as the changed text, wherever the changes are. Text that is inserted twice is stored
/// once.
///
/// ```
/// use cot_core::store::Delta;
///
/// let old = r#"{"fields":["a field of some length","another one like it"],"steps":9}"#;
/// let new = r#"{"fields":["a field of some length","another one like it","x"],"steps":10}"#;
/// let delta = Delta::between(old, new);
/// assert_eq!(delta.apply(old)?, new);
/// assert_eq!(serde_json::to_string(&delta).unwrap(), r#"[[0,57],",\"x\"],\"steps\":10}"]"#);
/// # Ok::<(), cot_core::store::DeltaError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Delta(Vec<Piece>);

/// A range of the new text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Piece {
    /// Copies bytes: start and length. The start refers to the old text, or past its end to the part of the
    /// new text that is already produced.
    Copy(usize, usize),
    /// Inserts a text.
    New(String),
}

/// The error of applying a delta to a text that it was not computed from.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("the delta was computed from another text")]
pub struct DeltaError;

cot_schema::debug_as_sentence!(DeltaError);

/// The maximum length of texts that are compared, and the maximum number of bytes that a delta copies.
/// Without a limit, a damaged delta of a few bytes could allocate any amount of memory.
const MAX_BYTES: usize = 1 << 28;

impl Delta {
    /// Computes the delta from `old` to `new`, in time linear in the length of the texts.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        Self::with_known(old, old.len(), new)
    }

    /// Computes the delta to `new` from a text whose first `old` bytes are the old text. What follows is other text
    /// that can be copied.
    pub(crate) fn with_known(known: &str, old: usize, new: &str) -> Self {
        if known.len().max(new.len()) > MAX_BYTES {
            return Self(vec![Piece::New(new.to_owned())]);
        }
        let mut pieces = Vec::new();
        let mut written = 0;
        for range in find_copies(known.as_bytes(), old, new.as_bytes()) {
            let Some(CopyRange { from, to, length }) = shrink_to_chars(range, new) else {
                continue;
            };
            if length <= Piece::Copy(from, length).json_len() {
                continue;
            }
            pieces.extend(Piece::new(&new[written..to]));
            pieces.push(Piece::Copy(from, length));
            written = to + length;
        }
        pieces.extend(Piece::new(&new[written..]));
        Self(pieces)
    }

    /// Applies the delta to the old text and returns the new text.
    ///
    /// # Errors
    ///
    /// If the delta was computed from another text.
    pub fn apply(&self, old: &str) -> Result<String, DeltaError> {
        let mut text = String::with_capacity(old.len());
        let mut copied = 0;
        for piece in &self.0 {
            let (from, length) = match piece {
                Piece::New(new) => {
                    text.push_str(new);
                    continue;
                }
                Piece::Copy(from, length) => (*from, *length),
            };
            copied =
                length.checked_add(copied).filter(|all| *all <= MAX_BYTES).ok_or(DeltaError)?;
            let end = from.checked_add(length).ok_or(DeltaError)?;
            match from.checked_sub(old.len()) {
                Some(from) if text.is_char_boundary(from) => {
                    let end = end - old.len();
                    text.get(from..end).ok_or(DeltaError)?;
                    text.extend_from_within(from..end);
                }
                Some(_) => return Err(DeltaError),
                None => text.push_str(old.get(from..end).ok_or(DeltaError)?),
            }
        }
        Ok(text)
    }

    /// Returns the approximate length of the delta as JSON, in bytes.
    pub(crate) fn json_len(&self) -> usize {
        self.0.iter().map(|piece| piece.json_len() + 1).sum::<usize>() + 1
    }
}

impl Piece {
    fn new(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::New(text.to_owned()))
    }

    /// Returns the approximate length of the piece as JSON, in bytes.
    fn json_len(&self) -> usize {
        let digits = |number: usize| number.checked_ilog10().map_or(1, |log| 1 + log as usize);
        match self {
            Self::Copy(from, length) => digits(*from) + digits(*length) + 3,
            Self::New(new) => {
                let is_escaped = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
                new.len() + new.bytes().filter(is_escaped).count() + 2
            }
        }
    }
}

/// Shrinks a range to whole characters; `None` if there are none. The source has the same bytes, so its
/// boundaries are the same.
fn shrink_to_chars(CopyRange { from, to, length }: CopyRange, new: &str) -> Option<CopyRange> {
    let start = new.ceil_char_boundary(to);
    let end = new.floor_char_boundary(to + length);
    let length = end.checked_sub(start)?;
    Some(CopyRange { from: from + (start - to), to: start, length })
}
