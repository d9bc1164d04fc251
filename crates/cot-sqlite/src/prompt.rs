//! Storage of prompts as lists of texts. Fixed texts are stored once for all runs. Other texts are
//! stored in their entry; later entries of the run refer to a long text that is repeated.

use std::{collections::HashMap, sync::Arc};

use cot_model::{PartName, PromptSegments, Segment, Stability};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize, de::IntoDeserializer};

use crate::{column::entry_id, error::OperationError};

/// The stored form of a prompt in an entry.
#[derive(Debug, Default)]
pub(crate) struct StoredPrompt {
    /// The locations of its texts, as a JSON array.
    pub(crate) list: String,
    /// The concatenated texts that are stored in the entry itself.
    pub(crate) texts: String,
}

/// The range of a text that is not fixed: its first character, from 1, and its length in characters.
#[derive(Debug, Clone, Copy)]
struct TextRange {
    from: usize,
    length: usize,
}

/// A cache of the ids of fixed texts, which all runs share.
#[derive(Debug, Default)]
pub(crate) struct FixedTexts {
    /// The ids, by the checksum of the text.
    ids: HashMap<u32, (Segment, i64)>,
}

/// A cache of the long texts of a run that are not fixed: their locations by checksum and length.
#[derive(Debug, Default)]
pub(crate) struct RunTexts {
    places: HashMap<(u32, usize), (u64, TextRange)>,
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
        let mut next = 1;
        for segment in prompt {
            let Segment { part, stability, text } = segment;
            list.push(if *stability == Stability::Fixed {
                TextLocation::Fixed(fixed.id(connection, segment)?)
            } else if let Some((entry, at)) = known.find(connection, run, text)? {
                TextLocation::InEntry(*part, *stability, at.from, at.length, entry)
            } else {
                let at = TextRange { from: next, length: text.chars().count() };
                next += at.length;
                kept.texts.push_str(text);
                known.add(text, (number, at));
                TextLocation::Here(*part, *stability, at.from, at.length)
            });
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
    ) -> Result<Option<(u64, TextRange)>, OperationError> {
        let Some((entry, at)) = self.places.get(&key(text)) else { return Ok(None) };
        // Different texts can have the same checksum.
        let mut same = connection
            .prepare_cached("SELECT 1 FROM journal WHERE id = ? AND substr(texts, ?, ?) = ?")?;
        let is_same =
            same.exists(params![entry_id(run, *entry), as_i64(at.from), as_i64(at.length), text])?;
        Ok(is_same.then_some((*entry, *at)))
    }

    fn add(&mut self, text: &str, at: (u64, TextRange)) {
        if text.len() < MIN_BYTES {
            return;
        }
        if self.places.len() >= MAX_TEXTS {
            self.places.clear();
        }
        self.places.insert(key(text), at);
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

/// Reads the prompts of a run. Reads each text from the database once.
#[derive(Debug)]
pub(crate) struct PromptReader<'a> {
    connection: &'a Connection,
    run: i64,
    fixed: HashMap<i64, Segment>,
    /// The texts of other entries, by number.
    others: HashMap<u64, String>,
}

/// The error for a prompt that can't be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PromptError {
    #[error("the list of its texts can't be read")]
    List(#[source] serde_json::Error),
    #[error("the text {0} of its prompt is missing")]
    Missing(i64),
    #[error("the text {0} of its prompt is damaged")]
    Damaged(i64),
    #[error("the text {0} of its prompt belongs to no known part")]
    Part(i64, #[source] serde::de::value::Error),
    #[error("a text of its prompt is not at its place")]
    Misplaced,
}

/// The location of a text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextLocation {
    Fixed(i64),
    Here(PartName, Stability, usize, usize),
    InEntry(PartName, Stability, usize, usize, u64),
}

impl<'a> PromptReader<'a> {
    pub(crate) fn new(connection: &'a Connection, run: i64) -> Self {
        Self { connection, run, fixed: HashMap::new(), others: HashMap::new() }
    }

    /// Reads the prompt of an entry.
    pub(crate) fn read(
        &mut self,
        list: &str,
        texts: &str,
    ) -> Result<Result<Arc<PromptSegments>, PromptError>, OperationError> {
        let list: Vec<TextLocation> = match serde_json::from_str(list) {
            Ok(list) => list,
            Err(error) => return Ok(Err(PromptError::List(error))),
        };
        let mut segments = Vec::with_capacity(list.len());
        for text in list {
            let segment = match text {
                TextLocation::Fixed(id) => self.fixed(id)?,
                TextLocation::Here(part, stability, from, length) => {
                    stored(part, stability, texts, TextRange { from, length })
                }
                TextLocation::InEntry(part, stability, from, length, entry) => {
                    stored(part, stability, self.texts_in(entry)?, TextRange { from, length })
                }
            };
            match segment {
                Ok(segment) => segments.push(segment),
                Err(bad) => return Ok(Err(bad)),
            }
        }
        Ok(Ok(Arc::new(segments.into_iter().collect())))
    }

    fn fixed(&mut self, id: i64) -> Result<Result<Segment, PromptError>, OperationError> {
        if let Some(segment) = self.fixed.get(&id) {
            return Ok(Ok(segment.clone()));
        }
        let mut find =
            self.connection.prepare_cached("SELECT part, text, sum FROM segments WHERE id = ?")?;
        let found = find.query_row([id], |row| {
            let part: String = row.get(0)?;
            Ok(fixed(id, &part, row.get(1)?, row.get(2)?))
        });
        let found = found.optional()?.unwrap_or(Err(PromptError::Missing(id)));
        if let Ok(segment) = &found {
            self.fixed.insert(id, segment.clone());
        }
        Ok(found)
    }

    /// Returns the texts that are stored in another entry; empty if the entry does not exist.
    fn texts_in(&mut self, entry: u64) -> Result<&str, OperationError> {
        let texts = match self.others.remove(&entry) {
            Some(texts) => texts,
            None => {
                let mut find =
                    self.connection.prepare_cached("SELECT texts FROM journal WHERE id = ?")?;
                let found =
                    find.query_row([entry_id(self.run, entry)], |row| row.get(0)).optional()?;
                found.flatten().unwrap_or_default()
            }
        };
        Ok(self.others.entry(entry).or_insert(texts))
    }
}

fn fixed(id: i64, part: &str, text: String, sum: u32) -> Result<Segment, PromptError> {
    if crc32fast::hash(text.as_bytes()) != sum {
        return Err(PromptError::Damaged(id));
    }
    let part = PartName::deserialize(part.into_deserializer());
    let part = part.map_err(|error| PromptError::Part(id, error))?;
    Ok(Segment { part, stability: Stability::Fixed, text })
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

impl TextRange {
    fn slice(self, texts: &str) -> Option<&str> {
        let rest = &texts[nth_char(texts, self.from.checked_sub(1)?)?..];
        Some(&rest[..nth_char(rest, self.length)?])
    }
}

/// Returns the byte offset of a character, from 0; that of the end for the number after the last one.
fn nth_char(text: &str, number: usize) -> Option<usize> {
    let starts = text.char_indices().map(|(start, _)| start);
    starts.chain([text.len()]).nth(number)
}
