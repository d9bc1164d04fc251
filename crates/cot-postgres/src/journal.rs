//! Reading of journals.

use std::sync::Arc;

use cot_model::PromptSegments;
use cot_store::{
    Entry, EntryHash, RunId, StoreError,
    internal::{
        TextDigest,
        row::{Content, RowError},
        signed,
    },
};
use sqlx::{Row as _, postgres::PgRow};

use crate::{
    column::{count, optional_text, text},
    database::Database,
    error::OperationError,
    prompt::Texts,
    runs::table,
};

/// Reads at most `limit` entries, from number `from`.
pub(crate) async fn entries(
    db: &Database,
    run: &RunId,
    from: u64,
    limit: usize,
) -> Result<Vec<Entry>, OperationError> {
    let id = table::id(db, run).await?;
    let sql = db.sql(
        "SELECT number, at, hash, kind, key, engine, program, reply, body, prompt, texts, marks FROM cot.journal \
         WHERE run = $1 AND number >= $2 ORDER BY number LIMIT $3",
    );
    // The one before has the hash that the first is chained to.
    let before = from.saturating_sub(1);
    let surplus = usize::from(from > 0);
    let limit = i64::try_from(limit.saturating_add(surplus)).unwrap_or(i64::MAX);
    let query = sqlx::query(&sql).bind(id).bind(signed(before)).bind(limit);
    let rows = query.fetch_all(&db.pool).await?;
    let lists = rows.iter().filter_map(|row| {
        let list = row.try_get::<Option<&str>, _>("prompt").ok()??;
        Some((count(row, "number").ok()?, list))
    });
    let mut texts = Texts::load(db, id, lists).await?;
    let mut previous = None;
    let mut entries = Vec::with_capacity(rows.len());
    for row in &rows {
        let number = count(row, "number")?;
        if number >= from {
            let entry = read(row, (number, previous), &mut texts);
            entries.push(entry.map_err(|source| corrupt(run, number, source))?);
        }
        previous = EntryHash::from_bytes(row.try_get("hash")?);
    }
    Ok(entries)
}

fn read(
    row: &PgRow,
    (number, previous): (u64, Option<EntryHash>),
    texts: &mut Texts,
) -> Result<Entry, RowError> {
    let prompt = match row.try_get::<Option<&str>, _>("prompt")? {
        Some(list) => {
            let here = optional_text(row, "texts")?.unwrap_or_default();
            Some(texts.read(number, list, &here)?)
        }
        None => None,
    };
    let (engine, program) = (optional_text(row, "engine")?, optional_text(row, "program")?);
    let (reply, kind) = (optional_text(row, "reply")?, text(row, "kind")?);
    let content = Content {
        kind: &kind,
        key: row.try_get("key")?,
        engine: engine.as_deref(),
        program: program.as_deref(),
        reply: reply.as_deref(),
        body: row.try_get("body")?,
        marks: row.try_get("marks")?,
    };
    let (at, stored) = (row.try_get("at")?, EntryHash::from_bytes(row.try_get("hash")?));
    let hash = content.hash(at).after(previous, &digests(prompt.as_ref()));
    if stored != Some(hash) {
        return Err("its hash does not match: it, or what precedes it, was changed".into());
    }
    Ok(Entry { number, hash: stored, record: content.read(at, prompt)? })
}

fn digests(prompt: Option<&Arc<PromptSegments>>) -> Vec<TextDigest> {
    prompt.into_iter().flat_map(|prompt| prompt.iter()).map(TextDigest::new).collect()
}

fn corrupt(run: &RunId, entry: u64, source: RowError) -> StoreError {
    StoreError::Corrupt { run: run.clone(), entry, source }
}

/// Returns the number of the last full snapshot up to `until`, from which the run can be read.
pub(crate) async fn last_full_snapshot(
    db: &Database,
    run: &RunId,
    until: u64,
) -> Result<Option<u64>, OperationError> {
    let sql = db.sql(
        "SELECT number FROM cot.journal WHERE run = (SELECT id FROM cot.runs WHERE run = $1) \
         AND number <= $2 AND is_whole ORDER BY number DESC LIMIT 1",
    );
    let query = sqlx::query_scalar::<_, i64>(&sql).bind(run.as_str()).bind(signed(until));
    let number = query.fetch_optional(&db.pool).await?;
    Ok(number.map(|number| number.try_into().unwrap_or_default()))
}
