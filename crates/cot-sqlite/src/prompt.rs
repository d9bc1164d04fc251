//! Storage of prompts as lists of texts. Fixed texts are stored once for all runs. Other texts are stored in
//! their entry; later entries of the run refer to a long text that is repeated, and to the beginning of a
//! text that has grown.

use std::collections::HashMap;

use cot_model::{
    Digest, PartName, PromptSegments, Segment, Stability, internal::digests_of_growing,
};
use cot_store::internal::TextDigest;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    column::entry_id,
    error::OperationError,
    prompt_list::{TextLocation, TextRange},
    prompt_reader::PromptReader,
};

/// The stored form of a prompt in an entry.
#[derive(Debug, Default)]
pub(crate) struct StoredPrompt {
    /// The locations of its texts, as a JSON array.
    pub(crate) list: String,
    /// The concatenated texts that are stored in the entry itself.
    pub(crate) texts: String,
    /// The number of characters of these texts.
    length: usize,
    /// The digests of all its texts.
    pub(crate) digests: Vec<TextDigest>,
}

/// A cache of the ids of fixed texts, which all runs share.
#[derive(Debug, Default)]
pub(crate) struct FixedTexts {
    /// The texts, by their checksum.
    texts: HashMap<u32, FixedText>,
}

#[derive(Debug)]
struct FixedText {
    segment: Segment,
    id: i64,
    digest: Digest,
}

/// A cache of the long texts of a run that are not fixed.
#[derive(Debug, Default)]
pub(crate) struct RunTexts {
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
    /// Stores the fixed texts of a prompt and returns its form for an entry of a run.
    pub(crate) fn store(
        connection: &Connection,
        fixed: &mut FixedTexts,
        known: &mut RunTexts,
        (run, number): (i64, u64),
        prompt: &PromptSegments,
    ) -> Result<Self, OperationError> {
        let mut kept = Self::default();
        let mut list = Vec::new();
        let mut growing: HashMap<PartName, usize> = HashMap::new();
        for segment in prompt {
            let Segment { part, stability, .. } = segment;
            let digest = match stability {
                Stability::Fixed => {
                    let (id, digest) = fixed.find_or_add(connection, segment)?;
                    list.push(TextLocation::Fixed(id));
                    digest
                }
                Stability::Growing => {
                    known.load(connection, (run, number))?;
                    let count = growing.entry(*part).or_default();
                    *count += 1;
                    kept.add_text(&mut list, known, number, segment, Some((*part, *count)))
                }
                Stability::PerRun | Stability::Volatile => {
                    kept.add_text(&mut list, known, number, segment, None)
                }
            };
            kept.digests.push(TextDigest { part: *part, stability: *stability, digest });
        }
        kept.list = serde_json::to_string(&list)
            .map_err(|error| OperationError::unwritable("the prompt", error))?;
        Ok(kept)
    }

    /// Adds a text that is not fixed: the places of what is stored already, and the rest of it. Returns its digest.
    fn add_text(
        &mut self,
        list: &mut Vec<TextLocation>,
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
            list.push(match index {
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

impl FixedTexts {
    /// Clears the cache, after a rollback or a write of another program.
    pub(crate) fn clear(&mut self) {
        self.texts.clear();
    }

    /// Returns the id and the digest of a text.
    fn find_or_add(
        &mut self,
        connection: &Connection,
        segment: &Segment,
    ) -> Result<(i64, Digest), OperationError> {
        let sum = crc32fast::hash(segment.text.as_bytes());
        match self.texts.get(&sum) {
            Some(known) if known.segment == *segment => return Ok((known.id, known.digest)),
            _ => {}
        }
        let id = find_or_add(connection, segment, sum)?;
        let digest = Digest::from_bytes(segment.text.as_bytes());
        if self.texts.len() >= MAX_TEXTS {
            self.clear();
        }
        self.texts.insert(sum, FixedText { segment: segment.clone(), id, digest });
        Ok((id, digest))
    }
}

fn find_or_add(
    connection: &Connection,
    segment: &Segment,
    sum: u32,
) -> Result<i64, OperationError> {
    let (part, text) = (segment.part.as_str(), segment.text.as_str());
    let mut find = connection
        .prepare_cached("SELECT id FROM segments WHERE sum = ? AND text = ? AND part = ?")?;
    if let Some(id) = find.query_row(params![sum, text, part], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let mut add =
        connection.prepare_cached("INSERT INTO segments (sum, text, part) VALUES (?, ?, ?)")?;
    Ok(add.insert(params![sum, text, part])?)
}

impl RunTexts {
    /// Loads the growing texts of the last prompt before an entry, once: another lease may have stored them.
    fn load(
        &mut self,
        connection: &Connection,
        (run, before): (i64, u64),
    ) -> Result<(), OperationError> {
        if std::mem::replace(&mut self.is_loaded, true) {
            return Ok(());
        }
        let mut find = connection.prepare_cached(
            "SELECT id, prompt, texts FROM journal \
             WHERE id >= ? AND id < ? AND prompt IS NOT NULL ORDER BY id DESC LIMIT 1",
        )?;
        let first = entry_id(run, 0);
        let last = find.query_row(params![first, entry_id(run, before)], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<String>>(2)?))
        });
        let Some((id, list, texts)) = last.optional()? else { return Ok(()) };
        let (id, list): (i64, String) = (id, list);
        let number = u64::try_from(id - first).unwrap_or_default();
        let mut reader = PromptReader::new(connection, run);
        // A prompt that can't be read is reported where it is read. Here, the text is stored again.
        let Ok(prompt) = reader.read(number, &list, &texts.unwrap_or_default())? else {
            return Ok(());
        };
        let mut counts: HashMap<PartName, usize> = HashMap::new();
        let growing = prompt.iter().filter(|segment| segment.stability == Stability::Growing);
        for (Segment { part, text, .. }, pieces) in growing.zip(growing_places(&list, number)) {
            let count = counts.entry(*part).or_default();
            *count += 1;
            self.set_growing((*part, *count), text, Digest::from_bytes(text.as_bytes()), pieces);
        }
        Ok(())
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

/// Returns SQLite's data version, which changes when another connection commits.
pub(crate) fn data_version(connection: &Connection) -> Result<i64, OperationError> {
    let mut statement = connection.prepare_cached("PRAGMA data_version")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}
