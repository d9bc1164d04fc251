//! Storage of prompts as lists of texts. Fixed texts are stored once for all runs. Other texts are stored in
//! their entry; later entries of the run refer to a long text that is repeated, and to the beginning of a
//! text that has grown.

use std::collections::HashMap;

use cot_model::{
    Digest, PartName, PromptSegments, Segment, Stability, internal::digests_of_growing,
};

use crate::{
    chain::TextDigest,
    stored::prompt_list::{TextLocation, TextRange},
};

/// The stored form of a prompt in an entry.
#[derive(Debug, Default)]
pub struct StoredPrompt {
    /// The locations of its texts.
    list: Vec<TextLocation>,
    /// The concatenated texts that are stored in the entry itself.
    pub texts: String,
    /// The number of characters of these texts.
    length: usize,
    /// The digests of all its texts.
    pub digests: Vec<TextDigest>,
}

/// A cache of the long texts of a run that are not fixed.
#[derive(Debug, Default)]
pub struct RunTexts {
    /// The locations of texts.
    places: HashMap<Digest, Place>,
    /// The growing texts of the last prompts that contain one, by part and by their number in it.
    growing: HashMap<GrowingKey, GrowingText>,
    /// Whether the growing texts of the last prompt in the database are known.
    is_loaded: bool,
}

/// The entry that contains a text, and the range of the text in it.
type Place = (u64, TextRange);

/// A growing text of prompts: its part, and its number in it.
type GrowingKey = (PartName, usize);

/// A text that grows from prompt to prompt.
#[derive(Debug)]
struct GrowingText {
    /// Its length in bytes.
    length: usize,
    digest: Digest,
    /// The places of its pieces.
    pieces: Vec<Place>,
}

/// What is stored of a text.
struct FoundText {
    digest: Digest,
    /// The length of its beginning that is stored, in bytes.
    stored: usize,
    /// The places of the pieces of this beginning.
    pieces: Vec<Place>,
}

/// The limit on cached texts.
const MAX_TEXTS: usize = 1024;

/// The length in bytes from which repeated texts are looked up.
const MIN_BYTES: usize = 1024;

impl StoredPrompt {
    /// Returns the form of a prompt for the entry with this number of a run. `fixed` stores a fixed text, and returns
    /// its id and digest.
    ///
    /// # Errors
    ///
    /// The errors of `fixed`.
    pub fn new<E>(
        known: &mut RunTexts,
        number: u64,
        prompt: &PromptSegments,
        mut fixed: impl FnMut(&Segment) -> Result<(i64, Digest), E>,
    ) -> Result<Self, E> {
        let mut kept = Self::default();
        let mut growing: HashMap<PartName, usize> = HashMap::new();
        for segment in prompt {
            let Segment { part, stability, .. } = segment;
            let digest = match stability {
                Stability::Fixed => {
                    let (id, digest) = fixed(segment)?;
                    kept.list.push(TextLocation::Fixed(id));
                    digest
                }
                Stability::Growing => {
                    let count = growing.entry(*part).or_default();
                    *count += 1;
                    kept.add_text(known, number, segment, Some((*part, *count)))
                }
                Stability::PerRun | Stability::Volatile => {
                    kept.add_text(known, number, segment, None)
                }
            };
            kept.digests.push(TextDigest { part: *part, stability: *stability, digest });
        }
        Ok(kept)
    }

    /// Returns the locations of the texts as a JSON array.
    ///
    /// # Errors
    ///
    /// If it can't be written, which is not known to happen.
    pub fn list(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.list)
    }

    /// Adds a text that is not fixed: the places of what is stored already, and the rest of it. Returns its digest.
    fn add_text(
        &mut self,
        known: &mut RunTexts,
        number: u64,
        Segment { part, stability, text }: &Segment,
        key: Option<GrowingKey>,
    ) -> Digest {
        let FoundText { digest, stored, mut pieces } = known.find(key, text);
        let stored = absorb_pieces(text, stored, &mut pieces);
        let rest = &text[stored..];
        if !rest.is_empty() || pieces.is_empty() {
            let at = TextRange { from: self.length + 1, length: rest.chars().count() };
            self.length += at.length;
            self.texts.push_str(rest);
            pieces.push((number, at));
            if stored == 0 && is_long(text) {
                known.add(digest, (number, at));
            }
        }
        for (index, (entry, TextRange { from, length })) in pieces.iter().copied().enumerate() {
            self.list.push(match index {
                0 if entry == number => TextLocation::Here(*part, *stability, from, length),
                0 => TextLocation::InEntry(*part, *stability, from, length, entry),
                _ => TextLocation::Continued(*part, *stability, from, length, entry, 1),
            });
        }
        if let Some(key) = key {
            known.set_growing(key, text, digest, pieces);
        }
        digest
    }
}

impl RunTexts {
    /// Returns whether the last prompt before this one is needed, for [`load`](Self::load): another lease may have
    /// stored its growing texts.
    #[must_use]
    pub fn needs_last(&self, prompt: &PromptSegments) -> bool {
        !self.is_loaded && prompt.iter().any(|segment| segment.stability == Stability::Growing)
    }

    /// Loads the growing texts of the last prompt in the store, once: the number and the list of its entry, and the
    /// prompt.
    pub fn load(&mut self, last: Option<(u64, &str, &PromptSegments)>) {
        self.is_loaded = true;
        let Some((number, list, prompt)) = last else { return };
        let mut counts: HashMap<PartName, usize> = HashMap::new();
        let growing = prompt.iter().filter(|segment| segment.stability == Stability::Growing);
        for (Segment { part, text, .. }, pieces) in growing.zip(growing_places(list, number)) {
            let count = counts.entry(*part).or_default();
            *count += 1;
            self.set_growing((*part, *count), text, Digest::from_bytes(text.as_bytes()), pieces);
        }
    }

    fn add(&mut self, digest: Digest, at: Place) {
        if self.places.len() >= MAX_TEXTS {
            self.places.clear();
        }
        self.places.insert(digest, at);
    }

    /// Finds what is stored of a text: the beginning of a growing one, or all of a long one.
    fn find(&self, key: Option<GrowingKey>, text: &str) -> FoundText {
        let growing = key.and_then(|key| self.growing.get(&key));
        let length = growing.map_or(0, |known| known.length);
        let [beginning, digest] = digests_of_growing(text.as_bytes(), length);
        let (stored, pieces) = match (growing, self.places.get(&digest)) {
            (Some(known), _) if known.digest == beginning && known.length <= text.len() => {
                (known.length, known.pieces.clone())
            }
            (_, Some(place)) => (text.len(), vec![*place]),
            (_, None) => (0, Vec::new()),
        };
        FoundText { digest, stored, pieces }
    }

    /// Sets the growing text of a prompt, which is looked up if it is long.
    fn set_growing(&mut self, key: GrowingKey, text: &str, digest: Digest, pieces: Vec<Place>) {
        if is_long(text) {
            self.growing.insert(key, GrowingText { length: text.len(), digest, pieces });
        } else {
            self.growing.remove(&key);
        }
    }
}

/// Returns whether a text is looked up when it is repeated; shorter ones are stored again.
const fn is_long(text: &str) -> bool {
    text.len() >= MIN_BYTES
}

/// Returns the places of the growing texts of a prompt.
fn growing_places(list: &str, number: u64) -> Vec<Vec<Place>> {
    let list: Vec<TextLocation> = serde_json::from_str(list).unwrap_or_default();
    let mut texts: Vec<Vec<Place>> = Vec::new();
    for location in list {
        match location {
            TextLocation::Here(_, Stability::Growing, from, length) => {
                texts.push(vec![(number, TextRange { from, length })]);
            }
            TextLocation::InEntry(_, Stability::Growing, from, length, entry) => {
                texts.push(vec![(entry, TextRange { from, length })]);
            }
            TextLocation::Continued(_, Stability::Growing, from, length, entry, _) => {
                texts.extend(texts.is_empty().then(Vec::new));
                if let Some(last) = texts.last_mut() {
                    last.push((entry, TextRange { from, length }));
                }
            }
            _ => {}
        }
    }
    texts
}

/// Removes the last pieces of a text that are not longer than what follows them, so that they are stored again
/// as one. A text therefore has few pieces, and each byte of it is stored a few times. Returns the length in
/// bytes of what remains.
fn absorb_pieces(text: &str, mut stored: usize, pieces: &mut Vec<Place>) -> usize {
    while let Some((_, TextRange { length, .. })) = pieces.last()
        && stored < text.len()
        && *length <= text[stored..].chars().count()
    {
        let start = text[..stored].char_indices().rev().nth(length.saturating_sub(1));
        stored = start.map_or(0, |(start, _)| start);
        pieces.pop();
    }
    stored
}
