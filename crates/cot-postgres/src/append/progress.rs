//! The columns of the progress of runs, as arrays.

use cot_store::{
    EntryHash, RunSummary, Status,
    internal::{millis, signed},
};
use sqlx::{Postgres, postgres::PgArguments, query::Query};

use crate::{
    error::{OperationError, unwritable},
    text::escape,
};

/// The names of the columns.
pub(crate) const PROGRESS: &str = "process, status, is_ended, task, steps, calls, uncounted_calls, input_tokens, \
    output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens, cost, begun, updated, entries, hash, origin, \
    origin_steps, standing, until, search";

/// The types of the columns.
const TYPES: &str = "text text boolean text bigint bigint bigint bigint bigint bigint bigint bigint double_precision bigint \
    bigint bigint bytea text bigint text bigint text";

/// Returns the arrays of the columns, which are the first values of a statement.
pub(crate) fn progress_arrays() -> String {
    arrays(TYPES, 1)
}

/// Returns values of a statement as arrays of these types, from a number on.
///
/// Each is in a query of its own, which hides its length from Postgres: otherwise the statement is planned each time, since
/// a plan for the present lengths seems to be cheaper than one for all.
pub(crate) fn arrays(types: &str, first: usize) -> String {
    let array =
        |(name, number): (&str, usize)| format!("(SELECT ${number}::{}[])", name.replace('_', " "));
    types.split_whitespace().zip(first..).map(array).collect::<Vec<_>>().join(", ")
}

/// Returns the assignments of the columns, from a row of this name.
pub(crate) fn assign(row: &str) -> String {
    let columns = PROGRESS.split(", ").map(|name| format!("{name} = {row}.{name}"));
    columns.collect::<Vec<_>>().join(", ")
}

/// The columns of the progress of runs.
#[derive(Debug, Default)]
pub(crate) struct ProgressColumns {
    process: Vec<String>,
    status: Vec<&'static str>,
    is_ended: Vec<bool>,
    task: Vec<String>,
    /// The steps, and what was used but the cost.
    numbers: [Vec<i64>; 8],
    cost: Vec<f64>,
    begun: Vec<i64>,
    updated: Vec<i64>,
    entries: Vec<i64>,
    hash: Vec<Vec<u8>>,
    origin: Vec<Option<String>>,
    origin_steps: Vec<Option<i64>>,
    standing: Vec<Option<String>>,
    until: Vec<Option<i64>>,
    search: Vec<String>,
}

impl ProgressColumns {
    /// Returns the columns of one run.
    pub(crate) fn from_run(summary: &RunSummary, hash: EntryHash) -> Result<Self, OperationError> {
        let mut columns = Self::default();
        columns.push(summary, hash)?;
        Ok(columns)
    }

    /// Adds a run.
    pub(crate) fn push(
        &mut self,
        summary: &RunSummary,
        hash: EntryHash,
    ) -> Result<(), OperationError> {
        let RunSummary { process, status, steps, usage, begun, updated, entries, origin, .. } =
            summary;
        let (standing, until) = match status {
            Status::Running { .. } => (None, None),
            Status::Asking { until, .. } => (Some(status), *until),
            _ => (Some(status), None),
        };
        let standing = standing.map(serde_json::to_string).transpose();
        self.standing.push(standing.map_err(|error| unwritable("writing a status", error))?);
        self.process.push(escape(process).into_owned());
        self.status.push(status.word());
        self.is_ended.push(status.is_ended());
        self.task.push(escape(status.task()).into_owned());
        let numbers = [
            *steps,
            usage.calls,
            usage.uncounted_calls,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_tokens,
            usage.cache_write_tokens,
            usage.reasoning_tokens,
        ];
        self.numbers.iter_mut().zip(numbers).for_each(|(all, number)| all.push(signed(number)));
        self.cost.push(usage.cost);
        self.begun.push(millis(*begun));
        self.updated.push(millis(*updated));
        self.entries.push(signed(*entries));
        self.hash.push(hash.as_bytes().to_vec());
        self.origin.push(origin.as_ref().map(|origin| origin.run.as_str().to_owned()));
        self.origin_steps.push(origin.as_ref().map(|origin| signed(origin.steps)));
        self.until.push(until.map(millis));
        self.search.push(escape(&summary.search_text()).into_owned());
        Ok(())
    }

    /// Adds the columns to a query without values.
    pub(crate) fn bind(
        self,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Query<'_, Postgres, PgArguments> {
        let query = query.bind(self.process).bind(self.status).bind(self.is_ended).bind(self.task);
        let query = self.numbers.into_iter().fold(query, Query::bind);
        query
            .bind(self.cost)
            .bind(self.begun)
            .bind(self.updated)
            .bind(self.entries)
            .bind(self.hash)
            .bind(self.origin)
            .bind(self.origin_steps)
            .bind(self.standing)
            .bind(self.until)
            .bind(self.search)
    }
}
