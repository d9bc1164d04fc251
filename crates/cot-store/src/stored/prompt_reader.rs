//! Reading of the prompts of a run.

use std::sync::Arc;

use cot_model::{PartName, PromptSegments, Segment, Stability};

use crate::stored::prompt_list::{TextLocation, TextRange};

/// The stored texts that the prompts of a run refer to.
pub trait TextSource {
    /// The error of the storage.
    type Error;

    /// Returns a fixed text. The inner error concerns what is stored.
    ///
    /// # Errors
    ///
    /// An error of the storage.
    fn fixed(&mut self, id: i64) -> Result<Result<Segment, PromptError>, Self::Error>;

    /// Returns the texts that are stored in another entry; empty if the entry does not exist.
    ///
    /// # Errors
    ///
    /// An error of the storage.
    fn texts_in(&mut self, entry: u64) -> Result<&str, Self::Error>;
}

/// The error for a prompt that can't be read.
#[derive(thiserror::Error)]
pub enum PromptError {
    /// The list of the texts is not the JSON of one.
    #[error("the list of its texts can't be read")]
    List(#[source] serde_json::Error),
    /// There is no fixed text with this id.
    #[error("the text {0} of its prompt is missing")]
    Missing(i64),
    /// A fixed text was changed.
    #[error("the text {0} of its prompt is damaged")]
    Damaged(i64),
    /// A fixed text belongs to a part that this program does not know.
    #[error("the text {0} of its prompt belongs to no known part")]
    Part(i64, #[source] serde::de::value::Error),
    /// The list refers to a place that has no text.
    #[error("a text of its prompt is not at its place")]
    Misplaced,
}

cot_schema::debug_as_sentence!(PromptError);

/// Reads the prompt of an entry from its list, the texts in the entry itself, and a source of all other texts.
///
/// # Errors
///
/// An error of the source. The inner error concerns what is stored.
pub fn read_prompt<S: TextSource>(
    source: &mut S,
    number: u64,
    list: &str,
    texts: &str,
) -> Result<Result<Arc<PromptSegments>, PromptError>, S::Error> {
    let list: Vec<TextLocation> = match serde_json::from_str(list) {
        Ok(list) => list,
        Err(error) => return Ok(Err(PromptError::List(error))),
    };
    let mut segments: Vec<Segment> = Vec::with_capacity(list.len());
    for location in list {
        let is_continued = matches!(location, TextLocation::Continued(..));
        let segment = match read_segment(source, location, number, texts)? {
            Ok(segment) => segment,
            Err(bad) => return Ok(Err(bad)),
        };
        match segments.last_mut() {
            Some(last) if is_continued => last.text.push_str(&segment.text),
            None if is_continued => return Ok(Err(PromptError::Misplaced)),
            _ => segments.push(segment),
        }
    }
    Ok(Ok(Arc::new(segments.into_iter().collect())))
}

fn read_segment<S: TextSource>(
    source: &mut S,
    location: TextLocation,
    number: u64,
    texts: &str,
) -> Result<Result<Segment, PromptError>, S::Error> {
    let (part, stability, at, entry) = match location {
        TextLocation::Fixed(id) => return source.fixed(id),
        TextLocation::Here(part, stability, from, length) => {
            (part, stability, TextRange { from, length }, None)
        }
        TextLocation::InEntry(part, stability, from, length, entry)
        | TextLocation::Continued(part, stability, from, length, entry, _) => {
            (part, stability, TextRange { from, length }, Some(entry))
        }
    };
    let texts = match entry {
        Some(entry) if entry != number => source.texts_in(entry)?,
        _ => texts,
    };
    Ok(stored(part, stability, texts, at))
}

fn stored(
    part: PartName,
    stability: Stability,
    texts: &str,
    at: TextRange,
) -> Result<Segment, PromptError> {
    let text = at.slice(texts).ok_or(PromptError::Misplaced)?.to_owned();
    Ok(Segment { part, stability, text })
}
