//! Lists and counts of runs.
//!
//! A list first finds the ids of its runs, in an index that has their order or in one that has all columns that
//! filters look at, and then reads the rows of these runs only.

use cot_store::{RunFilter, RunOrder};
use rusqlite::Connection;

use crate::{
    error::OperationError,
    runs::{
        selection::Selection,
        table::{self, StoredRun},
    },
};

/// Lists the runs that match a filter.
pub(crate) fn list(
    connection: &Connection,
    filter: &RunFilter,
) -> Result<Vec<StoredRun>, OperationError> {
    let order = filter.order;
    let lagging = Lagging::find(connection, filter, Some(order))?;
    let most = filter.limit.unwrap_or(usize::MAX);
    // Each of the lagging runs may be before the first row.
    let start = filter.offset.saturating_sub(lagging.matching.len());
    let surplus = filter.offset - start;
    let selection = Selection::new(filter, Some(order), lagging.ids.as_deref());
    let query = selection.ids(order, most.saturating_add(surplus), start);
    let mut runs = Vec::new();
    let mut statement = connection.prepare_cached(&query.sql)?;
    let mut rows = statement.query(&*query.values())?;
    while let Some(row) = rows.next()? {
        runs.extend(table::find_by_id(connection, row.get(0)?)?);
    }
    if !lagging.matching.is_empty() {
        runs.extend(lagging.matching);
        runs.sort_by(|one, other| order.compare(&one.summary, &other.summary, one.id > other.id));
    }
    Ok(runs.into_iter().skip(surplus).take(most).collect())
}

/// Counts the runs that match a filter, whatever its offset and limit.
pub(crate) fn count(connection: &Connection, filter: &RunFilter) -> Result<u64, OperationError> {
    let lagging = Lagging::find(connection, filter, None)?;
    let query = Selection::new(filter, None, lagging.ids.as_deref()).count();
    let mut statement = connection.prepare_cached(&query.sql)?;
    let count: i64 = statement.query_row(&*query.values(), |row| row.get(0))?;
    Ok(count.cast_unsigned() + lagging.matching.len() as u64)
}

/// Running runs whose rows are behind their journals, in what a filter looks at. They are selected and sorted here,
/// not by the database.
#[derive(Default)]
struct Lagging {
    /// Their ids, as a JSON array; `None` if there are none.
    ids: Option<String>,
    /// Those that match the filter.
    matching: Vec<StoredRun>,
}

impl Lagging {
    fn find(
        connection: &Connection,
        filter: &RunFilter,
        order: Option<RunOrder>,
    ) -> Result<Self, OperationError> {
        if !depends_on_progress(filter, order) {
            return Ok(Self::default());
        }
        let mut statement = connection.prepare_cached(LAGGING)?;
        let ids = statement.query_map([], |row| row.get(0))?;
        let ids = ids.collect::<Result<Vec<i64>, _>>()?;
        if ids.is_empty() {
            return Ok(Self::default());
        }
        let list = format!("{ids:?}");
        let mut matching = Vec::new();
        for id in ids {
            let known = table::find_by_id(connection, id)?;
            matching.extend(known.filter(|known| filter.matches(&known.summary)));
        }
        Ok(Self { ids: Some(list), matching })
    }
}

/// Selects the ids of the runs whose rows are behind their journals.
pub(crate) const LAGGING: &str = "SELECT id FROM runs INDEXED BY runs_running WHERE status = 'running' AND EXISTS \
    (SELECT 1 FROM journal WHERE journal.id BETWEEN (runs.id << 32) + entries AND (runs.id << 32) + 0xffffffff)";

/// Returns whether a filter or an order looks at columns that are not written with each entry.
const fn depends_on_progress(filter: &RunFilter, order: Option<RunOrder>) -> bool {
    let RunFilter { task, search, updated_after, updated_before, min_cost, max_cost, .. } = filter;
    task.is_some()
        || search.is_some()
        || updated_after.is_some()
        || updated_before.is_some()
        || min_cost.is_some()
        || max_cost.is_some()
        || !matches!(
            order,
            None | Some(
                RunOrder::NewestFirst
                    | RunOrder::OldestFirst
                    | RunOrder::ByName
                    | RunOrder::AttentionFirst
            )
        )
}
