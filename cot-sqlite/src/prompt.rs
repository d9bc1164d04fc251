//! Prompts, kept as lists of texts of which each is kept once.

use std::{collections::HashMap, sync::Arc};

use cot_core::{PartName, PromptSegments, Segment, SegmentKind};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, de::IntoDeserializer};

use crate::error::Problem;

/// The ids of fixed texts, which are the same for all runs and come again with each prompt.
#[derive(Debug, Default)]
pub(crate) struct KnownTexts {
    ids: HashMap<Segment, i64>,
}

/// More texts than this are not remembered.
const MOST: usize = 1024;

impl KnownTexts {
    /// Forgets all, as what was written is undone, or somebody else has written.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
    }

    /// Keeps the texts of a prompt of a run. Gives their ids as a JSON array.
    pub(crate) fn keep(
        &mut self,
        connection: &Connection,
        run: i64,
        prompt: &PromptSegments,
    ) -> Result<String, Problem> {
        let mut ids = String::from("[");
        for segment in prompt {
            let id = match segment.kind {
                SegmentKind::Fixed => self.fixed(connection, segment)?,
                SegmentKind::Variable => keep_one(connection, Some(run), segment)?,
            };
            if ids.len() > 1 {
                ids.push(',');
            }
            ids.push_str(&id.to_string());
        }
        ids.push(']');
        Ok(ids)
    }

    fn fixed(&mut self, connection: &Connection, segment: &Segment) -> Result<i64, Problem> {
        if let Some(id) = self.ids.get(segment) {
            return Ok(*id);
        }
        let id = keep_one(connection, None, segment)?;
        if self.ids.len() >= MOST {
            self.forget();
        }
        self.ids.insert(segment.clone(), id);
        Ok(id)
    }
}

/// Changes whenever another connection commits.
pub(crate) fn data_version(connection: &Connection) -> Result<i64, Problem> {
    let mut statement = connection.prepare_cached("PRAGMA data_version")?;
    Ok(statement.query_one([], |row| row.get(0))?)
}

fn keep_one(connection: &Connection, run: Option<i64>, segment: &Segment) -> Result<i64, Problem> {
    let Segment { part, kind, text } = segment;
    let (part, kind, sum) = (part.as_str(), word(*kind), crc32fast::hash(text.as_bytes()));
    let mut find = connection.prepare_cached(
        "SELECT id FROM segments WHERE run IS ? AND sum = ? AND text = ? AND part = ? AND kind = ?",
    )?;
    let found = find.query_row(params![run, sum, text, part, kind], |row| row.get(0)).optional()?;
    if let Some(id) = found {
        return Ok(id);
    }
    let mut add = connection.prepare_cached(
        "INSERT INTO segments (run, sum, text, part, kind) VALUES (?, ?, ?, ?, ?)",
    )?;
    Ok(add.insert(params![run, sum, text, part, kind])?)
}

const fn word(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Fixed => "fixed",
        SegmentKind::Variable => "variable",
    }
}

/// Reads prompts again; each text from the database once.
#[derive(Debug)]
pub(crate) struct Prompts<'a> {
    connection: &'a Connection,
    read: HashMap<i64, Segment>,
}

/// Why a prompt can't be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadPrompt {
    #[error("the list of its texts does not read")]
    List(#[source] serde_json::Error),
    #[error("the text {0} of its prompt is missing")]
    Missing(i64),
    #[error("the text {0} of its prompt is damaged")]
    Damaged(i64),
    #[error("the text {0} of its prompt belongs to no known part")]
    Part(i64, #[source] serde::de::value::Error),
}

impl<'a> Prompts<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self { connection, read: HashMap::new() }
    }

    pub(crate) fn read(
        &mut self,
        ids: &str,
    ) -> Result<Result<Arc<PromptSegments>, BadPrompt>, Problem> {
        let ids: Vec<i64> = match serde_json::from_str(ids) {
            Ok(ids) => ids,
            Err(error) => return Ok(Err(BadPrompt::List(error))),
        };
        let mut segments = Vec::with_capacity(ids.len());
        for id in ids {
            match self.segment(id)? {
                Ok(segment) => segments.push(segment),
                Err(bad) => return Ok(Err(bad)),
            }
        }
        Ok(Ok(Arc::new(segments.into_iter().collect())))
    }

    fn segment(&mut self, id: i64) -> Result<Result<Segment, BadPrompt>, Problem> {
        if let Some(segment) = self.read.get(&id) {
            return Ok(Ok(segment.clone()));
        }
        let mut find = self
            .connection
            .prepare_cached("SELECT part, kind, text, sum FROM segments WHERE id = ?")?;
        let found = find.query_row([id], |row| {
            let (part, kind): (String, String) = (row.get(0)?, row.get(1)?);
            let (text, sum): (String, u32) = (row.get(2)?, row.get(3)?);
            Ok(segment(id, &part, &kind, text, sum))
        });
        let found = found.optional()?.unwrap_or(Err(BadPrompt::Missing(id)));
        if let Ok(segment) = &found {
            self.read.insert(id, segment.clone());
        }
        Ok(found)
    }
}

fn segment(id: i64, part: &str, kind: &str, text: String, sum: u32) -> Result<Segment, BadPrompt> {
    if crc32fast::hash(text.as_bytes()) != sum {
        return Err(BadPrompt::Damaged(id));
    }
    let unknown = |error| BadPrompt::Part(id, error);
    Ok(Segment {
        part: PartName::deserialize(part.into_deserializer()).map_err(unknown)?,
        kind: SegmentKind::deserialize(kind.into_deserializer()).map_err(unknown)?,
        text,
    })
}
