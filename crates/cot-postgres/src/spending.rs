//! The table of what runs have used.

use cot_store::{Day, Record, Spending, SpendingFilter, internal::signed};
use serde_json::{Value, json};
use sqlx::{Row as _, postgres::PgRow};

use crate::{
    column::{count, text},
    database::Database,
    error::OperationError,
    runs::table::usage,
    text::escape,
};

/// The columns of numbers, which are added up.
const NUMBERS: [&str; 11] = [
    "attempts",
    "failed_attempts",
    "repairs",
    "calls",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "cost",
    "uncounted_calls",
];

/// Returns the statement that adds rows, which are a JSON array, to those of the runs `run`.
pub(crate) fn insert(rows: &str) -> String {
    let kind = |name: &str| if name == "cost" { "double precision" } else { "bigint" };
    let columns = NUMBERS.map(|name| format!("{name} {}", kind(name))).join(", ");
    format!(
        "INSERT INTO cot.spending AS known (run, day, process, task, engine, {names})
        SELECT new.* FROM json_to_recordset({rows}::json)
            AS new(run bigint, day bigint, process text, task text, engine text, {columns})
        WHERE new.run IN (SELECT id FROM run)
        {add}",
        names = NUMBERS.join(", "),
        add = add(),
    )
}

/// Returns the clause that adds a row to the known one.
fn add() -> String {
    let sums = NUMBERS.map(|name| format!("{name} = known.{name} + excluded.{name}")).join(", ");
    format!("ON CONFLICT (run, day, process, task, engine) DO UPDATE SET {sums}")
}

/// Returns what records of a run add, a row for each day, task and engine.
pub(crate) fn rows(run: i64, process: &str, records: &[Record]) -> Vec<Value> {
    let mut rows: Vec<Spending> = Vec::new();
    for row in records.iter().flat_map(|record| Spending::from_record(process, record)) {
        match rows.iter_mut().find(|known| known.compare(&row).is_eq()) {
            Some(known) => known.add(&row),
            None => rows.push(row),
        }
    }
    let rows = rows.iter().map(|row| {
        let Spending { day, process, task, engine, usage, attempts, failed_attempts, repairs, .. } =
            row;
        json!({
            "run": run, "day": day.number(), "process": escape(process), "task": escape(task),
            "engine": escape(engine.as_deref().unwrap_or_default()),
            "attempts": signed(*attempts), "failed_attempts": signed(*failed_attempts),
            "repairs": signed(*repairs), "calls": signed(usage.calls),
            "input_tokens": signed(usage.input_tokens), "output_tokens": signed(usage.output_tokens),
            "cached_tokens": signed(usage.cached_tokens),
            "cache_write_tokens": signed(usage.cache_write_tokens),
            "reasoning_tokens": signed(usage.reasoning_tokens), "cost": usage.cost,
            "uncounted_calls": signed(usage.uncounted_calls),
        })
    });
    rows.collect()
}

/// Returns the statement that keeps what the runs of the rows `gone` have used, as run 0.
pub(crate) fn keep() -> String {
    let sums = NUMBERS.map(|name| {
        let kind = if name == "cost" { "" } else { "::bigint" };
        format!("sum({name}){kind}")
    });
    format!(
        "INSERT INTO cot.spending AS known (run, day, process, task, engine, {names})
        SELECT 0, day, process, task, engine, {sums} FROM gone GROUP BY day, process, task, engine
        {add}",
        names = NUMBERS.join(", "),
        sums = sums.join(", "),
        add = add(),
    )
}

/// Lists what runs have used.
pub(crate) async fn list(
    db: &Database,
    filter: &SpendingFilter,
) -> Result<Vec<Spending>, OperationError> {
    let sums = NUMBERS.map(|name| {
        let kind = if name == "cost" { "" } else { "::bigint" };
        format!("sum({name}){kind} AS {name}")
    });
    let sql = db.sql(format!(
        "SELECT day, process, task, engine, {} FROM cot.spending
        WHERE day BETWEEN $1 AND $2 AND ($3::text IS NULL OR process = $3) GROUP BY day, process, task, engine",
        sums.join(", ")
    ));
    let query = sqlx::query(&sql)
        .bind(i64::from(filter.from.map_or(0, Day::number)))
        .bind(i64::from(filter.until.map_or(u32::MAX, Day::number)))
        .bind(filter.process.as_deref().map(escape));
    let rows = query.fetch_all(&db.pool).await?;
    let mut rows = rows.iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    rows.sort_by(Spending::compare);
    Ok(rows)
}

fn from_row(row: &PgRow) -> Result<Spending, OperationError> {
    let engine = text(row, "engine")?;
    let day = Day::from_number(row.try_get::<i64, _>("day")?.try_into().unwrap_or_default());
    let engine = (!engine.is_empty()).then_some(engine);
    let mut spending = Spending::new(day, text(row, "process")?, text(row, "task")?, engine);
    spending.usage = usage(row)?;
    spending.attempts = count(row, "attempts")?;
    spending.failed_attempts = count(row, "failed_attempts")?;
    spending.repairs = count(row, "repairs")?;
    Ok(spending)
}
