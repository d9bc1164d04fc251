//! The table of journal entries.

use std::{iter, sync::Arc};

use cot_model::PromptSegments;
use cot_store::{
    Entry, EntryHash, Record, RunId, RunSummary, Status, StoreError,
    internal::{
        StoredPrompt, TextDigest, read_prompt,
        row::{self, Content, Row, RowError},
    },
};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    blobs,
    chain::hash_before,
    column::{entry_id, millis},
    driving::lease,
    error::OperationError,
    prompt::{self, Texts},
    runs::table,
    waiting::cancels,
    writing::{run_cache::CachedRun, write_connection::WriteConnection},
};

/// Appends records to the journal of a run. The lease of this epoch must be held.
pub(crate) fn append(
    db: &mut WriteConnection,
    run: &RunId,
    epoch: u64,
    records: &[Record],
    rows: &[Row],
) -> Result<(), OperationError> {
    let known = match db.cache.take(epoch, run) {
        Some(known) => Some(known),
        None => {
            lease::check(&db.connection, run, epoch)?;
            let known = table::find(&db.connection, run)?;
            known.map(|known| CachedRun::load(&db.connection, known)).transpose()?
        }
    };
    let mut entries = iter::zip(records, rows);
    let known = match known {
        Some(known) => known,
        None => match entries.next() {
            Some((record, row)) => begin_run(db, run, record, row)?,
            None => return Ok(()),
        },
    };
    let known = append_to(db, known, entries)?;
    db.cache.put(epoch, known);
    Ok(())
}

/// Stores a run that has not begun.
pub(crate) fn submit(
    db: &mut WriteConnection,
    run: &RunId,
    record: &Record,
    row: &Row,
) -> Result<(), OperationError> {
    // A driver that holds the lease is about to begin a run of this name.
    let is_driven = match lease::refuse_driven(&db.connection, &db.owners, run) {
        Err(OperationError::Store(StoreError::Leased { .. })) => true,
        other => other.map(|()| false)?,
    };
    if is_driven || table::find_id(&db.connection, run)?.is_some() {
        return Err(StoreError::RunExists { run: run.clone() }.into());
    }
    begin_run(db, run, record, row).map(drop)
}

fn begin_run(
    db: &mut WriteConnection,
    run: &RunId,
    first: &Record,
    row: &Row,
) -> Result<CachedRun, OperationError> {
    let summary = RunSummary::from_record(run, first)?;
    let mut begun = CachedRun::new(table::add(&db.connection, &summary)?, summary);
    add(db, &mut begun, 0, first, row)?;
    Ok(begun)
}

fn append_to<'a>(
    db: &mut WriteConnection,
    mut run: CachedRun,
    entries: impl Iterator<Item = (&'a Record, &'a Row)>,
) -> Result<CachedRun, OperationError> {
    let (before, was_running) = (run.summary.entries, is_running(&run.summary));
    let was_set_aside = run.summary.set_aside.is_some();
    let was_to_be_cancelled = run.summary.cancel_requested.is_some();
    // A run writes more soon after it got a reply, so its row is written when it starts to wait.
    let mut is_waiting = false;
    for (record, row) in entries {
        is_waiting = matches!(record, Record::Step(_));
        delete_answer(&db.connection, run.id, &run.summary.status, record)?;
        let number = run.summary.entries;
        add(db, &mut run, number, record, row)?;
        run.unsaved.add_record(&run.summary.process, record);
        run.summary.apply(record)?;
    }
    let CachedRun { id, summary, saved, is_behind, .. } = &run;
    if summary.entries == before {
        return Ok(run);
    }
    if was_to_be_cancelled && summary.cancel_requested.is_none() {
        cancels::delete(&db.connection, *id)?;
    }
    if !was_running || !is_running(summary) || was_set_aside {
        table::save(&db.connection, *id, summary)?;
    } else if is_waiting || *is_behind || summary.entries - saved > MAX_UNSAVED {
        table::save_progress(&db.connection, *id, summary)?;
    } else {
        return Ok(run);
    }
    run.unsaved.save(&db.connection)?;
    (run.saved, run.is_behind) = (run.summary.entries, false);
    Ok(run)
}

/// The limit on the entries that the row of a running run may lag behind its journal.
const MAX_UNSAVED: u64 = 64;

const fn is_running(summary: &RunSummary) -> bool {
    matches!(summary.status, Status::Running { .. })
}

fn add(
    db: &mut WriteConnection,
    run: &mut CachedRun,
    number: u64,
    record: &Record,
    row: &Row,
) -> Result<(), OperationError> {
    let WriteConnection { connection, fixed, .. } = db;
    let mut store = |prompt| {
        if run.texts.needs_last(prompt) {
            prompt::load_last(connection, &mut run.texts, (run.id, number))?;
        }
        let store = |segment: &_| fixed.find_or_add(connection, segment);
        StoredPrompt::new(&mut run.texts, number, prompt, store)
    };
    let prompt = row::prompt(record).map(&mut store).transpose()?;
    let list = prompt.as_ref().map(StoredPrompt::list).transpose();
    let list = list.map_err(|error| OperationError::unwritable("the prompt", error))?;
    if let Some(blobs) = record.blobs() {
        blobs::store(connection, run.id, blobs)?;
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO journal (id, at, is_whole, hash, kind, task, key, attempt, engine, program, millis, reply, \
         body, prompt, texts, marks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let texts = prompt.as_ref().map_or(&[][..], |prompt| &prompt.digests);
    let hash = row.hash.after(run.hash, texts);
    statement.execute(params![
        entry_id(run.id, number),
        millis(record.at()),
        record.is_full_snapshot(),
        hash.as_bytes(),
        row::kind(record),
        row::task(record),
        row.key,
        row::asked(record).map(|asked| asked.key.attempt()),
        row::engine(record),
        row::program(record),
        row::elapsed(record),
        row::reply(record),
        row.body,
        list,
        prompt.as_ref().map(|prompt| &prompt.texts),
        row.marks,
    ])?;
    run.hash = Some(hash);
    Ok(())
}

/// Deletes the answer that a record consumes. Answers are stored only for pending questions.
fn delete_answer(
    connection: &Connection,
    run: i64,
    status: &Status,
    record: &Record,
) -> Result<(), OperationError> {
    if let (Status::Asking { key, .. }, Some(asked)) = (status, row::asked(record))
        && asked.key == *key
    {
        let mut statement =
            connection.prepare_cached("DELETE FROM answers WHERE run = ? AND key = ?")?;
        statement.execute(params![run, key.to_string()])?;
    }
    Ok(())
}

/// Reads at most `limit` entries, from number `from`.
pub(crate) fn entries(
    connection: &Connection,
    run: &RunId,
    from: u64,
    limit: usize,
) -> Result<Vec<Entry>, OperationError> {
    let id = table::id(connection, run)?;
    let mut prompts = Texts::new(connection, id);
    let mut statement = connection.prepare_cached(
        "SELECT number, at, hash, kind, key, engine, program, reply, body, prompt, texts, marks FROM journal \
         WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?",
    )?;
    let limit = i64::try_from(limit).unwrap_or(-1);
    let mut previous = hash_before(connection, id, from)?;
    let mut rows = statement.query(params![entry_id(id, from), entry_id(id, u64::MAX), limit])?;
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let next = entries.last().map_or(from, |last| last.number + 1);
        let row = rows.next().map_err(|error| damaged(run, next, error))?;
        let Some(row) = row else { return Ok(entries) };
        let number = row.get::<_, i64>(0)?.try_into().unwrap_or(next);
        if number != next {
            previous = hash_before(connection, id, number)?;
        }
        let entry = entry(row, (number, previous), &mut prompts)?;
        let entry = entry.map_err(|source| corrupt(run, number, source))?;
        previous = entry.hash;
        entries.push(entry);
    }
}

/// Converts a row to an entry. The inner error concerns the content of the row.
fn entry(
    row: &rusqlite::Row<'_>,
    (number, previous): (u64, Option<EntryHash>),
    prompts: &mut Texts<'_>,
) -> Result<Result<Entry, RowError>, OperationError> {
    let text = |column| row.get_ref(column)?.as_str_or_null().map_err(RowError::from);
    let prompt = match text(9).and_then(|list| Ok((list, text(10)?))) {
        Ok((Some(list), texts)) => {
            match read_prompt(prompts, number, list, texts.unwrap_or_default())? {
                Ok(prompt) => Some(prompt),
                Err(bad) => return Ok(Err(bad.into())),
            }
        }
        Ok((None, _)) => None,
        Err(bad) => return Ok(Err(bad)),
    };
    Ok(read(row, (number, previous), prompt))
}

fn read(
    row: &rusqlite::Row<'_>,
    (number, previous): (u64, Option<EntryHash>),
    prompt: Option<Arc<PromptSegments>>,
) -> Result<Entry, RowError> {
    let content = Content {
        kind: row.get_ref(3)?.as_str()?,
        key: row.get_ref(4)?.as_str_or_null()?,
        engine: row.get_ref(5)?.as_str_or_null()?,
        program: row.get_ref(6)?.as_str_or_null()?,
        reply: row.get_ref(7)?.as_str_or_null()?,
        body: row.get_ref(8)?.as_str()?,
        marks: row.get_ref(11)?.as_str_or_null()?,
    };
    let (at, stored) = (row.get(1)?, EntryHash::from_bytes(row.get_ref(2)?.as_blob()?));
    let texts: Vec<TextDigest> =
        prompt.iter().flat_map(|prompt| prompt.iter()).map(TextDigest::new).collect();
    let hash = content.hash(at).after(previous, &texts);
    if stored != Some(hash) {
        return Err("its hash does not match: it, or what precedes it, was changed".into());
    }
    Ok(Entry { number, hash: stored, record: content.read(at, prompt)? })
}

/// Reports an unreadable database page as damage to the entry that is read from it.
fn damaged(run: &RunId, entry: u64, error: rusqlite::Error) -> OperationError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DatabaseCorrupt) => corrupt(run, entry, error.into()).into(),
        _ => error.into(),
    }
}

fn corrupt(run: &RunId, entry: u64, source: RowError) -> StoreError {
    StoreError::Corrupt { run: run.clone(), entry, source }
}

/// Returns the number of the last full snapshot up to `until`, from which the run can be read.
pub(crate) fn last_full_snapshot(
    connection: &Connection,
    run: &RunId,
    until: u64,
) -> Result<Option<u64>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT number FROM journal WHERE is_whole AND id <= ? AND id >= ? ORDER BY id DESC LIMIT 1",
    )?;
    let Some(id) = table::find_id(connection, run)? else { return Ok(None) };
    let number = statement.query_row([entry_id(id, until), entry_id(id, 0)], |row| row.get(0));
    Ok(number.optional()?.map(|number: i64| number.try_into().unwrap_or_default()))
}
