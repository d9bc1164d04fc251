//! Which runs need a driver.

use cot_store::{
    DueFilter, DueRun,
    internal::{millis, signed},
};
use sqlx::{Row as _, postgres::PgRow};

use crate::{
    column::{count, parsed, text},
    database::Database,
    driving::owners::Owners,
    error::OperationError,
    text::escape,
};

/// The time by the clock of the server, in milliseconds since 1970. What makes a run due at once is noted as no later than
/// this: the clock of a program that is ahead would hide the run from the workers of others.
pub(crate) const SERVER_NOW: &str = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Of each process, the runs that have waited longest, as far as they match the filter and no driver is alive. A run
/// whose lease this program has dropped, `$3`, is not driven.
const DUE: &str = "
    SELECT due.* FROM UNNEST($1::text[]) AS wanted(process), LATERAL (
        SELECT r.id, r.run, r.process, r.due, r.entries, c.crashes
        FROM cot.runs r
            LEFT JOIN cot.owners o ON o.id = r.owner AND o.expires > clock_timestamp(),
            LATERAL (SELECT CASE WHEN r.crash_entries = r.entries THEN r.crashes ELSE 0 END
                + CASE WHEN r.owner <> $4 THEN 1 ELSE 0 END AS crashes) c
        WHERE r.process = wanted.process AND r.due <= $2
            AND (o.id IS NULL OR o.id = $4 AND r.run = ANY($3))
            AND NOT EXISTS (SELECT 1 FROM UNNEST($5::text[], $6::bigint[]) AS skipped(run, entries)
                WHERE skipped.run = r.run AND skipped.entries = r.entries)
            AND c.crashes < $7
        ORDER BY r.due LIMIT $8
    ) AS due ORDER BY due.due, due.id LIMIT $8";

/// Lists the runs that need a driver and have none, those that have waited longest first.
pub(crate) async fn list(
    db: &Database,
    owners: &Owners,
    filter: &DueFilter,
) -> Result<Vec<DueRun>, OperationError> {
    let processes = filter.processes.iter().map(|name| escape(name).into_owned());
    let (runs, entries): (Vec<&str>, Vec<i64>) =
        filter.skip.iter().map(|(run, entries)| (run.as_str(), signed(*entries))).unzip();
    let below = filter.crashes_below.map_or(i32::MAX, |below| below.try_into().unwrap_or(i32::MAX));
    let sql = db.sql(DUE);
    let query = sqlx::query(&sql)
        .bind(processes.collect::<Vec<_>>())
        .bind(millis(filter.now))
        .bind(owners.dropped())
        .bind(owners.own_id())
        .bind(runs)
        .bind(entries)
        .bind(below)
        .bind(i64::try_from(filter.limit).unwrap_or(i64::MAX));
    query.fetch_all(&db.pool).await?.iter().map(due_run).collect()
}

fn due_run(row: &PgRow) -> Result<DueRun, OperationError> {
    let crashes = row.try_get::<i32, _>("crashes")?.try_into().unwrap_or_default();
    Ok(DueRun::new(parsed(row, "run")?, text(row, "process")?, count(row, "entries")?, crashes))
}
