//! The table of what runs have used.
//!
//! The entries of a run are added to the table in the commit that writes the row of the run, not with each entry: so
//! all entries before `runs.entries` are in the table, and no later one. What the later ones add is kept with the
//! cached run, and computed from the journal where the cache does not have it.

use std::collections::BTreeMap;

use cot_engine::{CallKey, Event};
use cot_model::{PromptSegments, Usage};
use cot_store::{CallInfo, Day, EventRecord, Record, Spending, SpendingFilter};
use rusqlite::{Connection, Row, params};

use crate::{
    column::{count, entry_id, signed, time},
    error::OperationError,
    runs::list::LAGGING,
};

/// What has been used, a row for each day, process, task and engine.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    rows: Vec<Spending>,
}

impl Sums {
    /// Adds what a record of a process says.
    pub(crate) fn add_record(&mut self, process: &str, record: &Record) {
        for row in Spending::from_record(process, record) {
            self.add(row);
        }
    }

    fn add(&mut self, row: Spending) {
        // There are few: those of the latest entries of a run.
        match self.rows.iter_mut().find(|known| known.compare(&row).is_eq()) {
            Some(known) => known.add(&row),
            None => self.rows.push(row),
        }
    }

    /// Adds the sums to the table, and clears them.
    pub(crate) fn save(&mut self, connection: &Connection) -> Result<(), OperationError> {
        for row in &self.rows {
            save(connection, row)?;
        }
        self.rows.clear();
        Ok(())
    }
}

fn save(connection: &Connection, row: &Spending) -> Result<(), OperationError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO spending VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
         attempts = attempts + excluded.attempts, failed_attempts = failed_attempts + excluded.failed_attempts, \
         repairs = repairs + excluded.repairs, calls = calls + excluded.calls, \
         input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens, \
         cached_tokens = cached_tokens + excluded.cached_tokens, \
         cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens, \
         reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens, cost = cost + excluded.cost, \
         uncounted_calls = uncounted_calls + excluded.uncounted_calls",
    )?;
    let Spending { day, process, task, engine, usage, attempts, failed_attempts, repairs, .. } =
        row;
    statement.execute(params![
        day.number(),
        process,
        task,
        engine.as_deref().unwrap_or_default(),
        signed(*attempts),
        signed(*failed_attempts),
        signed(*repairs),
        signed(usage.calls),
        signed(usage.input_tokens),
        signed(usage.output_tokens),
        signed(usage.cached_tokens),
        signed(usage.cache_write_tokens),
        signed(usage.reasoning_tokens),
        usage.cost,
        signed(usage.uncounted_calls),
    ])?;
    Ok(())
}

/// Lists what runs have used.
pub(crate) fn list(
    connection: &Connection,
    filter: &SpendingFilter,
) -> Result<Vec<Spending>, OperationError> {
    let mut sums = BTreeMap::new();
    let mut statement = connection.prepare_cached(
        "SELECT * FROM spending WHERE day BETWEEN ? AND ? AND (?3 IS NULL OR process = ?3)",
    )?;
    let first = filter.from.map_or(0, Day::number);
    let last = filter.until.map_or(u32::MAX, Day::number);
    let mut rows = statement.query(params![first, last, filter.process])?;
    while let Some(row) = rows.next()? {
        add_to(&mut sums, from_row(row)?);
    }
    let mut lagging = connection.prepare_cached(LAGGING)?;
    let lagging = lagging.query_map([], |row| row.get(0))?;
    for run in lagging.collect::<Result<Vec<i64>, _>>()? {
        let rows = unsaved(connection, run)?.rows.into_iter();
        rows.filter(|row| filter.matches(row)).for_each(|row| add_to(&mut sums, row));
    }
    Ok(sums.into_values().collect())
}

/// The key of a row, in the order in which rows are listed.
type Key = (Day, String, String, Option<String>);

fn add_to(sums: &mut BTreeMap<Key, Spending>, row: Spending) {
    let key = (row.day, row.process.clone(), row.task.clone(), row.engine.clone());
    match sums.get_mut(&key) {
        Some(known) => known.add(&row),
        None => drop(sums.insert(key, row)),
    }
}

fn from_row(row: &Row<'_>) -> Result<Spending, rusqlite::Error> {
    let engine: String = row.get(3)?;
    let engine = (!engine.is_empty()).then_some(engine);
    let day = Day::from_number(row.get(0)?);
    let mut spending =
        Spending::new(day, row.get::<_, String>(1)?, row.get::<_, String>(2)?, engine);
    spending.attempts = count(row, 4)?;
    spending.failed_attempts = count(row, 5)?;
    spending.repairs = count(row, 6)?;
    spending.usage = Usage {
        calls: count(row, 7)?,
        input_tokens: count(row, 8)?,
        output_tokens: count(row, 9)?,
        cached_tokens: count(row, 10)?,
        cache_write_tokens: count(row, 11)?,
        reasoning_tokens: count(row, 12)?,
        cost: row.get(13)?,
        uncounted_calls: count(row, 14)?,
    };
    Ok(spending)
}

/// Returns what the entries of a run have used that are not in the table yet.
pub(crate) fn unsaved(connection: &Connection, run: i64) -> Result<Sums, OperationError> {
    let mut statement = connection.prepare_cached(&format!(
        "{COLUMNS} WHERE runs.id = ? AND journal.id BETWEEN (runs.id << 32) + runs.entries AND ?"
    ))?;
    let mut sums = Sums::default();
    let mut rows = statement.query([run, entry_id(run, u64::MAX)])?;
    while let Some(row) = rows.next()? {
        if let Some((process, record)) = record(row)? {
            sums.add_record(&process, &record);
        }
    }
    Ok(sums)
}

/// Adds to the table what the entries of a run have used that are not in it yet. The caller deletes these entries,
/// or writes the row of the run.
pub(crate) fn settle(connection: &Connection, run: i64) -> Result<(), OperationError> {
    unsaved(connection, run)?.save(connection)
}

/// Selects the entries that can use something, with the processes of their runs.
const COLUMNS: &str = "SELECT process, kind, at, key, engine, prompt IS NOT NULL, \
    iif(kind != 'step' OR instr(body, '\"attempt_failed\"') OR instr(body, '\"repaired\"'), body, NULL) \
    FROM runs CROSS JOIN journal";

/// Reads the parts of a record that say what was used; `None` if it can't be read, which is reported where the
/// journal is read.
fn record(row: &Row<'_>) -> Result<Option<(String, Record)>, rusqlite::Error> {
    let kind = row.get_ref(1)?.as_str().unwrap_or_default();
    let Some(body) = row.get_ref(6)?.as_str_or_null().unwrap_or_default() else { return Ok(None) };
    let record = match kind {
        "step" => serde_json::from_str(body).ok().map(Record::Step),
        "replied" | "failed" | "timed_out" => event(row, body)?,
        _ => None,
    };
    let process = row.get(0)?;
    Ok(record.map(|record| (process, record)))
}

fn event(row: &Row<'_>, body: &str) -> Result<Option<Record>, rusqlite::Error> {
    let Ok(event) = serde_json::from_str::<Event>(body) else { return Ok(None) };
    let key = row.get::<_, Option<String>>(3)?.map(CallKey::try_from);
    let Some(Ok(key)) = key else { return Ok(None) };
    let prompt = row.get::<_, bool>(5)?.then(|| PromptSegments::default().into());
    let asked = Some(CallInfo { key, engine: row.get(4)?, program: None, prompt, marks: None });
    Ok(Some(Record::Event(EventRecord { at: time(row.get(2)?), asked, event })))
}
