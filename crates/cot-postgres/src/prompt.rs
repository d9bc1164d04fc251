//! Storage of prompts as lists of texts. Fixed texts are stored once for all runs.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Mutex, MutexGuard, PoisonError},
};

use cot_model::{Digest, PartName, PromptSegments, Segment, Stability};
use cot_store::internal::{PromptError, RunTexts, TextLocation, TextSource, read_prompt, signed};
use serde::{Deserialize as _, de::IntoDeserializer as _};
use sqlx::Row as _;

use crate::{
    column::text,
    database::Database,
    error::OperationError,
    text::{escape, unescape},
};

/// A cache of the ids of fixed texts, which all runs share. They are never deleted, so the ids stay right.
#[derive(Debug, Default)]
pub(crate) struct FixedTexts {
    ids: Mutex<Ids>,
}

/// The ids of fixed texts.
pub(crate) type Ids = HashMap<(Digest, PartName), i64>;

/// The limit on cached texts.
const MAX_TEXTS: usize = 4096;

/// Adds texts that are not stored yet, and returns the ids of all.
const ADD: &str = "
    WITH new AS (SELECT * FROM UNNEST($1::bytea[], $2::text[], $3::text[]) AS new(digest, part, text)),
    added AS (
        INSERT INTO cot.segments (digest, part, text) SELECT * FROM new ORDER BY digest
        ON CONFLICT DO NOTHING RETURNING id, digest, part
    )
    SELECT * FROM added
    UNION ALL SELECT segments.id, segments.digest, segments.part FROM cot.segments JOIN new USING (digest, part)";

impl FixedTexts {
    /// Returns the ids of the fixed texts of a prompt, after storing those that are new.
    pub(crate) async fn ids(
        &self,
        db: &Database,
        prompt: &PromptSegments,
    ) -> Result<Ids, OperationError> {
        let fixed = prompt.iter().filter(|segment| segment.stability == Stability::Fixed);
        let texts: HashMap<_, _> = fixed.map(|segment| (key(segment), segment)).collect();
        let mut ids = Ids::new();
        // Texts that another program adds at this moment are found at the second time.
        for _ in 0..10 {
            {
                let known = self.lock();
                let known = |key| known.get(key).map(|id| (*key, *id));
                ids.extend(texts.keys().filter_map(known));
            }
            let new = texts.iter().filter(|(key, _)| !ids.contains_key(key));
            let new: Vec<_> = new.map(|(key, segment)| (*key, *segment)).collect();
            if new.is_empty() {
                return Ok(ids);
            }
            self.add(db, &new).await?;
        }
        Err(OperationError::Outdated)
    }

    async fn add(
        &self,
        db: &Database,
        new: &[((Digest, PartName), &Segment)],
    ) -> Result<(), OperationError> {
        let sql = db.sql(ADD);
        let query = sqlx::query(&sql)
            .bind(new.iter().map(|((digest, _), _)| digest.as_bytes().to_vec()).collect::<Vec<_>>())
            .bind(new.iter().map(|((_, part), _)| part.as_str()).collect::<Vec<_>>())
            .bind(new.iter().map(|(_, segment)| escape(&segment.text)).collect::<Vec<_>>());
        let rows = query.fetch_all(&db.pool).await?;
        let mut known = self.lock();
        if known.len() >= MAX_TEXTS {
            known.clear();
        }
        for row in rows {
            let (digest, part): (&[u8], &str) = (row.try_get("digest")?, row.try_get("part")?);
            let is_it = |(key, _): &&((Digest, PartName), &Segment)| {
                key.0.as_bytes() == digest && key.1.as_str() == part
            };
            if let Some((key, _)) = new.iter().find(is_it) {
                known.insert(*key, row.try_get("id")?);
            }
        }
        Ok(())
    }

    /// Finds a text among ids that contain it.
    pub(crate) fn find(ids: &Ids, segment: &Segment) -> Result<(i64, Digest), OperationError> {
        let key = key(segment);
        ids.get(&key).map(|id| (*id, key.0)).ok_or(OperationError::Outdated)
    }

    fn lock(&self) -> MutexGuard<'_, Ids> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(segment: &Segment) -> (Digest, PartName) {
    (Digest::from_bytes(segment.text.as_bytes()), segment.part)
}

/// Loads the growing texts of the last prompt before an entry.
pub(crate) async fn load_last(
    db: &Database,
    known: &mut RunTexts,
    run: i64,
    before: u64,
) -> Result<(), OperationError> {
    let sql = db.sql(
        "SELECT number, prompt, texts FROM cot.journal \
         WHERE run = $1 AND number < $2 AND prompt IS NOT NULL ORDER BY number DESC LIMIT 1",
    );
    let last = sqlx::query(&sql).bind(run).bind(signed(before)).fetch_optional(&db.pool).await?;
    let Some(row) = last else {
        known.load(None);
        return Ok(());
    };
    let number = crate::column::count(&row, "number")?;
    let (list, here) = (row.try_get::<&str, _>("prompt")?, text(&row, "texts")?);
    let mut texts = Texts::load(db, run, [(number, list)].into_iter()).await?;
    // A prompt that can't be read is reported where it is read. Here, the text is stored again.
    let prompt = texts.read(number, list, &here);
    known.load(prompt.ok().as_deref().map(|prompt| (number, list, prompt)));
    Ok(())
}

/// The texts that prompts of a run refer to.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    fixed: HashMap<i64, Result<Segment, Damage>>,
    /// The texts of other entries, by number.
    others: HashMap<u64, String>,
}

/// What is wrong with a fixed text.
#[derive(Debug, Clone)]
enum Damage {
    Changed,
    Part(serde::de::value::Error),
}

impl Texts {
    /// Loads the texts that the lists of these entries refer to.
    pub(crate) async fn load(
        db: &Database,
        run: i64,
        lists: impl Iterator<Item = (u64, &str)>,
    ) -> Result<Self, OperationError> {
        let (mut ids, mut entries) = (Vec::new(), Vec::new());
        for (number, list) in lists {
            // A list that can't be read is reported where it is read.
            for location in serde_json::from_str::<Vec<TextLocation>>(list).unwrap_or_default() {
                match location {
                    TextLocation::Fixed(id) => ids.push(id),
                    TextLocation::InEntry(_, _, _, _, entry)
                    | TextLocation::Continued(_, _, _, _, entry, _)
                        if entry != number =>
                    {
                        entries.push(signed(entry));
                    }
                    _ => {}
                }
            }
        }
        let mut texts = Self::default();
        texts.load_fixed(db, ids).await?;
        texts.load_others(db, run, entries).await?;
        Ok(texts)
    }

    async fn load_fixed(&mut self, db: &Database, ids: Vec<i64>) -> Result<(), OperationError> {
        if ids.is_empty() {
            return Ok(());
        }
        let sql = db.sql("SELECT id, part, text, digest FROM cot.segments WHERE id = ANY($1)");
        for row in sqlx::query(&sql).bind(ids).fetch_all(&db.pool).await? {
            let text = text(&row, "text")?;
            let is_right = Digest::from_bytes(text.as_bytes()).as_bytes().as_slice()
                == row.try_get::<&[u8], _>("digest")?;
            let part = row.try_get::<&str, _>("part")?;
            let part: Result<PartName, serde::de::value::Error> =
                PartName::deserialize(part.into_deserializer());
            let segment = match part {
                Ok(part) if is_right => Ok(Segment { part, stability: Stability::Fixed, text }),
                Ok(_) => Err(Damage::Changed),
                Err(error) => Err(Damage::Part(error)),
            };
            self.fixed.insert(row.try_get("id")?, segment);
        }
        Ok(())
    }

    async fn load_others(
        &mut self,
        db: &Database,
        run: i64,
        entries: Vec<i64>,
    ) -> Result<(), OperationError> {
        if entries.is_empty() {
            return Ok(());
        }
        let sql =
            db.sql("SELECT number, texts FROM cot.journal WHERE run = $1 AND number = ANY($2)");
        for row in sqlx::query(&sql).bind(run).bind(entries).fetch_all(&db.pool).await? {
            let texts: Option<String> = row.try_get("texts")?;
            let texts = texts.map(unescape).unwrap_or_default();
            self.others.insert(crate::column::count(&row, "number")?, texts);
        }
        Ok(())
    }

    /// Reads a prompt.
    pub(crate) fn read(
        &mut self,
        number: u64,
        list: &str,
        here: &str,
    ) -> Result<std::sync::Arc<PromptSegments>, PromptError> {
        match read_prompt(self, number, list, here) {
            Ok(read) => read,
            Err(never) => match never {},
        }
    }
}

impl TextSource for Texts {
    type Error = Infallible;

    fn fixed(&mut self, id: i64) -> Result<Result<Segment, PromptError>, Infallible> {
        Ok(match self.fixed.get(&id) {
            Some(Ok(segment)) => Ok(segment.clone()),
            Some(Err(Damage::Changed)) => Err(PromptError::Damaged(id)),
            Some(Err(Damage::Part(error))) => Err(PromptError::Part(id, error.clone())),
            None => Err(PromptError::Missing(id)),
        })
    }

    fn texts_in(&mut self, entry: u64) -> Result<&str, Infallible> {
        Ok(self.others.get(&entry).map_or("", String::as_str))
    }
}
