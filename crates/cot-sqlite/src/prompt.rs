//! Storage of prompts as lists of texts. Fixed texts are stored once for all runs. Other texts are stored in
//! their entry; later entries of the run refer to a long text that is repeated, and to the beginning of a
//! text that has grown.

use std::collections::HashMap;

use cot_model::{Digest, PartName, PromptSegments, Segment, Stability};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    column::entry_id,
    error::OperationError,
    prompt_list::{TextLocation, TextRange},
};

/// The stored form of a prompt in an entry.
#[derive(Debug, Default)]
pub(crate) struct StoredPrompt {
    /// The locations of its texts, as a JSON array.
    pub(crate) list: String,
    /// The concatenated texts that are stored in the entry itself.
    pub(crate) texts: String,
}

/// A cache of the ids of fixed texts, which all runs share.
#[derive(Debug, Default)]
pub(crate) struct FixedTexts {
    /// The ids, by the checksum of the text.
    ids: HashMap<u32, (Segment, i64)>,
}

/// A cache of the long texts of a run that are not fixed.
#[derive(Debug, Default)]
pub(crate) struct RunTexts {
    /// The locations of texts, by checksum and length.
    places: HashMap<(u32, usize), Place>,
    /// The growing texts of the last prompts that contain one, by part and by their number in it.
    growing: HashMap<(PartName, usize), GrowingText>,
}

/// The entry that contains a text, and the range of the text in it.
type Place = (u64, TextRange);

/// A text that grows from prompt to prompt.
#[derive(Debug)]
struct GrowingText {
    /// Its length in bytes.
    length: usize,
    digest: Digest,
    /// The places of its pieces.
    pieces: Vec<Place>,
}

/// The limit on cached texts.
const MAX_TEXTS: usize = 1024;

/// The length in bytes from which repeated texts are looked up.
const MIN_BYTES: usize = 1024;

/// The limit on the pieces of a growing text. A text of more pieces is stored again.
const MAX_PIECES: usize = 64;

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
        let mut next = 1;
        let mut growing: HashMap<PartName, usize> = HashMap::new();
        for segment in prompt {
            let Segment { part, stability, text } = segment;
            let key = match stability {
                Stability::Fixed => {
                    list.push(TextLocation::Fixed(fixed.id(connection, segment)?));
                    continue;
                }
                Stability::Growing => {
                    let count = growing.entry(*part).or_default();
                    *count += 1;
                    Some((*part, *count))
                }
                Stability::PerRun | Stability::Volatile => None,
            };
            let (stored, mut pieces) = match key.and_then(|key| known.find_beginning(key, text)) {
                Some(beginning) => beginning,
                None => match known.find(connection, run, text)? {
                    Some(place) => (text.len(), vec![place]),
                    None => (0, Vec::new()),
                },
            };
            let rest = &text[stored..];
            if !rest.is_empty() || pieces.is_empty() {
                let at = TextRange { from: next, length: rest.chars().count() };
                next += at.length;
                kept.texts.push_str(rest);
                pieces.push((number, at));
                if stored == 0 {
                    known.add(text, (number, at));
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
                known.add_growing(key, text, pieces);
            }
        }
        kept.list = serde_json::to_string(&list)
            .map_err(|error| OperationError::unwritable("the prompt", error))?;
        Ok(kept)
    }
}

impl FixedTexts {
    /// Clears the cache, after a rollback or a write of another program.
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
    }

    fn id(&mut self, connection: &Connection, segment: &Segment) -> Result<i64, OperationError> {
        let sum = crc32fast::hash(segment.text.as_bytes());
        match self.ids.get(&sum) {
            Some((known, id)) if known == segment => return Ok(*id),
            _ => {}
        }
        let id = find_or_add(connection, segment, sum)?;
        if self.ids.len() >= MAX_TEXTS {
            self.clear();
        }
        self.ids.insert(sum, (segment.clone(), id));
        Ok(id)
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
    /// Finds the entry and the range in which a text is stored.
    fn find(
        &self,
        connection: &Connection,
        run: i64,
        text: &str,
    ) -> Result<Option<Place>, OperationError> {
        let Some((entry, at)) = self.places.get(&key(text)) else { return Ok(None) };
        // Different texts can have the same checksum.
        let mut same = connection
            .prepare_cached("SELECT 1 FROM journal WHERE id = ? AND substr(texts, ?, ?) = ?")?;
        let is_same =
            same.exists(params![entry_id(run, *entry), as_i64(at.from), as_i64(at.length), text])?;
        Ok(is_same.then_some((*entry, *at)))
    }

    fn add(&mut self, text: &str, at: Place) {
        if text.len() < MIN_BYTES {
            return;
        }
        if self.places.len() >= MAX_TEXTS {
            self.places.clear();
        }
        self.places.insert(key(text), at);
    }

    /// Returns the length of the longest known beginning of a growing text, in bytes, and the places of its
    /// pieces.
    fn find_beginning(&self, key: (PartName, usize), text: &str) -> Option<(usize, Vec<Place>)> {
        let known = self.growing.get(&key).filter(|known| known.pieces.len() < MAX_PIECES)?;
        let beginning = text.get(..known.length)?;
        let is_same = Digest::from_bytes(beginning.as_bytes()) == known.digest;
        is_same.then(|| (known.length, known.pieces.clone()))
    }

    fn add_growing(&mut self, key: (PartName, usize), text: &str, pieces: Vec<Place>) {
        let length = text.len();
        if length < MIN_BYTES {
            self.growing.remove(&key);
        } else {
            let digest = Digest::from_bytes(text.as_bytes());
            self.growing.insert(key, GrowingText { length, digest, pieces });
        }
    }
}

fn key(text: &str) -> (u32, usize) {
    (crc32fast::hash(text.as_bytes()), text.len())
}

fn as_i64(count: usize) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// Returns SQLite's data version, which changes when another connection commits.
pub(crate) fn data_version(connection: &Connection) -> Result<i64, OperationError> {
    let mut statement = connection.prepare_cached("PRAGMA data_version")?;
    Ok(statement.query_one([], |row| row.get(0))?)
}
