//! Storage of prompts as lists of texts. Fixed texts are stored once for all runs.

use std::collections::HashMap;

use cot_model::{Digest, PartName, Segment, Stability};
use cot_store::internal::{PromptError, RunTexts, TextSource, read_prompt};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, de::IntoDeserializer};

use crate::{column::entry_id, error::OperationError};

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

/// The limit on cached texts.
const MAX_TEXTS: usize = 1024;

impl FixedTexts {
    /// Clears the cache, after a rollback or a write of another program.
    pub(crate) fn clear(&mut self) {
        self.texts.clear();
    }

    /// Returns the id and the digest of a text.
    pub(crate) fn find_or_add(
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

/// Loads the growing texts of the last prompt before an entry.
pub(crate) fn load_last(
    connection: &Connection,
    known: &mut RunTexts,
    (run, before): (i64, u64),
) -> Result<(), OperationError> {
    let mut find = connection.prepare_cached(
        "SELECT id, prompt, texts FROM journal \
         WHERE id >= ? AND id < ? AND prompt IS NOT NULL ORDER BY id DESC LIMIT 1",
    )?;
    let first = entry_id(run, 0);
    let last = find.query_row([first, entry_id(run, before)], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    });
    let Some((id, list, texts)) = last.optional()? else {
        known.load(None);
        return Ok(());
    };
    let number = u64::try_from(id - first).unwrap_or_default();
    let mut texts_of_run = Texts::new(connection, run);
    // A prompt that can't be read is reported where it is read. Here, the text is stored again.
    let prompt = read_prompt(&mut texts_of_run, number, &list, &texts.unwrap_or_default())?;
    known.load(prompt.ok().as_deref().map(|prompt| (number, &*list, prompt)));
    Ok(())
}

/// The texts that the prompts of a run refer to. Each is read from the database once.
#[derive(Debug)]
pub(crate) struct Texts<'a> {
    connection: &'a Connection,
    run: i64,
    fixed: HashMap<i64, Segment>,
    /// The texts of other entries, by number.
    others: HashMap<u64, String>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(connection: &'a Connection, run: i64) -> Self {
        Self { connection, run, fixed: HashMap::new(), others: HashMap::new() }
    }
}

impl TextSource for Texts<'_> {
    type Error = OperationError;

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

/// Returns SQLite's data version, which changes when another connection commits.
pub(crate) fn data_version(connection: &Connection) -> Result<i64, OperationError> {
    let mut statement = connection.prepare_cached("PRAGMA data_version")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}
