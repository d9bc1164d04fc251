//! What has changed from one text to the next.

use serde::{Deserialize, Serialize};

use super::search::{Stretch, copies};

/// What makes one text of another: stretches that are copied, and what is new between them.
///
/// Snapshots of a run resemble each other: a list is longer by an item, a counter has gone up. A delta
/// is about as long as what has changed, wherever in the text that is, and what is new in two places is
/// in it once.
///
/// ```
/// use cot_core::store::Delta;
///
/// let old = r#"{"fields":["a field of some length","another one like it"],"steps":9}"#;
/// let new = r#"{"fields":["a field of some length","another one like it","x"],"steps":10}"#;
/// let delta = Delta::between(old, new);
/// assert_eq!(delta.apply(old)?, new);
/// assert_eq!(serde_json::to_string(&delta).unwrap(), r#"[[0,57],",\"x\"],\"steps\":10}"]"#);
/// # Ok::<(), cot_core::store::BadDelta>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Delta(Vec<Piece>);

/// A stretch of the new text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Piece {
    /// So many bytes, from this one on: of the old text, or beyond its end of the new one as far as it is
    /// made already.
    Copy(usize, usize),
    /// New text.
    New(String),
}

/// A delta that was not made for this text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the change does not fit the text that it should change")]
pub struct BadDelta;

/// Longer texts are not compared, and no more is copied: some bytes of a damaged delta could ask for
/// any amount of memory.
const MAX_BYTES: usize = 1 << 28;

impl Delta {
    /// What makes `new` of `old`. Takes time in proportion to the texts, whatever they say.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        if old.len().max(new.len()) > MAX_BYTES {
            return Self(vec![Piece::New(new.to_owned())]);
        }
        let mut pieces = Vec::new();
        let mut written = 0;
        for stretch in copies(old.as_bytes(), new.as_bytes()) {
            let Some(Stretch { from, to, length }) = whole_chars(stretch, new) else { continue };
            if length <= Piece::Copy(from, length).bytes() {
                continue;
            }
            pieces.extend(Piece::new(&new[written..to]));
            pieces.push(Piece::Copy(from, length));
            written = to + length;
        }
        pieces.extend(Piece::new(&new[written..]));
        Self(pieces)
    }

    /// The new text.
    ///
    /// # Errors
    ///
    /// When the delta was made for another text.
    pub fn apply(&self, old: &str) -> Result<String, BadDelta> {
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
            copied = length.checked_add(copied).filter(|all| *all <= MAX_BYTES).ok_or(BadDelta)?;
            let end = from.checked_add(length).ok_or(BadDelta)?;
            match from.checked_sub(old.len()) {
                Some(from) if text.is_char_boundary(from) => {
                    let end = end - old.len();
                    text.get(from..end).ok_or(BadDelta)?;
                    text.extend_from_within(from..end);
                }
                Some(_) => return Err(BadDelta),
                None => text.push_str(old.get(from..end).ok_or(BadDelta)?),
            }
        }
        Ok(text)
    }

    /// About how many bytes it takes as JSON.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|piece| piece.bytes() + 1).sum::<usize>() + 1
    }
}

impl Piece {
    fn new(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::New(text.to_owned()))
    }

    /// About how many bytes it takes as JSON.
    fn bytes(&self) -> usize {
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

/// What of a stretch is whole characters, if anything is. They are so in the place that it is copied from
/// too, which has the same bytes.
fn whole_chars(Stretch { from, to, length }: Stretch, new: &str) -> Option<Stretch> {
    let start = new.ceil_char_boundary(to);
    let end = new.floor_char_boundary(to + length);
    let length = end.checked_sub(start)?;
    Some(Stretch { from: from + (start - to), to: start, length })
}
