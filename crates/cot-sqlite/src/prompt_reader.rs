//! Reading of the prompts of a run.

use std::{collections::HashMap, sync::Arc};

use cot_model::{PartName, PromptSegments, Segment, Stability};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, de::IntoDeserializer};

use crate::{
    column::entry_id,
    error::OperationError,
    prompt_list::{TextLocation, TextRange},
};

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

impl<'a> PromptReader<'a> {
    pub(crate) fn new(connection: &'a Connection, run: i64) -> Self {
        Self { connection, run, fixed: HashMap::new(), others: HashMap::new() }
    }

    /// Reads the prompt of an entry.
    pub(crate) fn read(
        &mut self,
        number: u64,
        list: &str,
        texts: &str,
    ) -> Result<Result<Arc<PromptSegments>, PromptError>, OperationError> {
        let list: Vec<TextLocation> = match serde_json::from_str(list) {
            Ok(list) => list,
            Err(error) => return Ok(Err(PromptError::List(error))),
        };
        let mut segments: Vec<Segment> = Vec::with_capacity(list.len());
        for location in list {
            let is_continued = matches!(location, TextLocation::Continued(..));
            let segment = match self.segment(location, number, texts)? {
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

    fn segment(
        &mut self,
        location: TextLocation,
        number: u64,
        texts: &str,
    ) -> Result<Result<Segment, PromptError>, OperationError> {
        let (part, stability, at, entry) = match location {
            TextLocation::Fixed(id) => return self.fixed(id),
            TextLocation::Here(part, stability, from, length) => {
                (part, stability, TextRange { from, length }, None)
            }
            TextLocation::InEntry(part, stability, from, length, entry)
            | TextLocation::Continued(part, stability, from, length, entry, _) => {
                (part, stability, TextRange { from, length }, Some(entry))
            }
        };
        let texts = match entry {
            Some(entry) if entry != number => self.texts_in(entry)?,
            _ => texts,
        };
        Ok(stored(part, stability, texts, at))
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
