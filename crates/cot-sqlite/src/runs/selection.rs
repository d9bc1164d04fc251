//! The queries that select runs, each with the index that answers it.

use cot_store::{RunFilter, RunOrder, StatusKind};
use rusqlite::ToSql;

use crate::column::millis;

/// A query with its values.
pub(crate) struct Query {
    pub(crate) sql: String,
    values: Vec<Box<dyn ToSql>>,
}

impl Query {
    pub(crate) fn values(&self) -> Vec<&dyn ToSql> {
        self.values.iter().map(|value| &**value).collect()
    }
}

/// The rows that match a filter.
pub(crate) struct Selection {
    /// The index to use; `None` for the choice of SQLite. Without statistics, it would look up every row in the order
    /// of an index, even if few of them match.
    index: Option<&'static str>,
    conditions: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Selection {
    /// Selects the runs that match a filter but the `lagging` ones, whose ids are a JSON array. `order` is `None` if they are only counted.
    pub(crate) fn new(filter: &RunFilter, order: Option<RunOrder>, lagging: Option<&str>) -> Self {
        let index = index(filter, order);
        let mut selection = Self { index, conditions: Vec::new(), values: Vec::new() };
        selection.add_status(filter);
        selection.add_bounds(filter);
        if let Some(text) = &filter.search {
            selection.add("run_matches(?, run, process, task, standing)", text.to_lowercase());
        }
        if let Some(ids) = lagging {
            selection.add("id NOT IN (SELECT value FROM json_each(?))", ids.to_owned());
        }
        selection
    }

    /// Adds the conditions on the process, the task and the status.
    fn add_status(&mut self, filter: &RunFilter) {
        if let Some(process) = &filter.process {
            self.add("process = ?", process.clone());
        }
        if let Some(task) = &filter.task {
            self.add("task = ?", task.clone());
        }
        let asking = match self.index {
            Some(ATTENTION) => "attention <= 9000000000000000",
            _ => "status = 'asking'",
        };
        match &*filter.status {
            [] => {}
            [StatusKind::Asking] => self.conditions.push(asking.to_owned()),
            kinds => {
                let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
                self.conditions.push(format!("status IN ('{}')", words.join("', '")));
            }
        }
        // Written as in the indexes, so that SQLite can use them.
        let flags = [
            (filter.is_ended, "is_ended", "NOT is_ended"),
            (filter.is_asking, asking, "status != 'asking'"),
            (filter.is_set_aside, "set_aside_at IS NOT NULL", "set_aside_at IS NULL"),
        ];
        for (flag, is, is_not) in flags {
            if let Some(flag) = flag {
                self.conditions.push(if flag { is } else { is_not }.to_owned());
            }
        }
    }

    /// Adds the conditions on times and costs.
    fn add_bounds(&mut self, filter: &RunFilter) {
        let times = [
            ("begun >= ?", filter.begun_after),
            ("begun < ?", filter.begun_before),
            ("updated >= ?", filter.updated_after),
            ("updated < ?", filter.updated_before),
        ];
        for (condition, time) in times {
            if let Some(time) = time {
                self.add(condition, millis(time));
            }
        }
        for (condition, cost) in [("cost >= ?", filter.min_cost), ("cost <= ?", filter.max_cost)] {
            if let Some(cost) = cost {
                self.add(condition, cost);
            }
        }
    }

    fn add(&mut self, condition: &str, value: impl ToSql + 'static) {
        self.conditions.push(condition.to_owned());
        self.values.push(Box::new(value));
    }

    /// Returns the table with the index, and the conditions.
    fn source(&self) -> String {
        let mut source = " FROM runs".to_owned();
        if let Some(index) = self.index {
            source.push_str(" INDEXED BY ");
            source.push_str(index);
        }
        if !self.conditions.is_empty() {
            source.push_str(" WHERE ");
            source.push_str(&self.conditions.join(" AND "));
        }
        source
    }

    /// Returns the query for the ids of some rows.
    pub(crate) fn ids(mut self, order: RunOrder, limit: usize, offset: usize) -> Query {
        for number in [limit, offset] {
            self.values.push(Box::new(i64::try_from(number).unwrap_or(i64::MAX)));
        }
        let source = self.source();
        let sql = format!("SELECT id{source} ORDER BY {} LIMIT ? OFFSET ?", order_by(order));
        Query { sql, values: self.values }
    }

    pub(crate) fn count(self) -> Query {
        Query { sql: format!("SELECT COUNT(*){}", self.source()), values: self.values }
    }
}

/// The index with all columns that filters look at, except for texts.
const SELECTED: &str = "runs_selected";
const ATTENTION: &str = "runs_attention";

/// Returns the index for a list in an order, or for a count.
fn index(filter: &RunFilter, order: Option<RunOrder>) -> Option<&'static str> {
    if filter.search.is_some() || order == Some(RunOrder::ByName) {
        return None;
    }
    let is_in = |orders: &[RunOrder]| order.is_none_or(|order| orders.contains(&order));
    let is_newest = is_in(&[RunOrder::NewestFirst]);
    let by_begun = is_in(&[RunOrder::NewestFirst, RunOrder::OldestFirst]);
    let by_updated = is_in(&[RunOrder::RecentlyUpdated, RunOrder::LeastRecentlyUpdated]);
    let by_attention = is_in(&[RunOrder::AttentionFirst]);
    let is_asking = filter.is_asking == Some(true) || *filter.status == [StatusKind::Asking];
    // The groups of conditions that the filter has, with the index that answers this one alone.
    let own = [
        (filter.process.is_some(), Some(SELECTED)),
        (filter.task.is_some(), None),
        (is_asking && by_attention, Some(ATTENTION)),
        (filter.is_asking == Some(true) && !by_attention, is_newest.then_some("runs_status")),
        (filter.is_asking == Some(false), None),
        (
            !(filter.status.is_empty() || is_asking && by_attention),
            is_newest.then_some("runs_status"),
        ),
        (filter.is_ended == Some(false), is_newest.then_some("runs_unfinished")),
        (filter.is_ended == Some(true), None),
        (filter.is_set_aside == Some(true), is_newest.then_some("runs_set_aside")),
        (filter.is_set_aside == Some(false), None),
        (filter.begun_after.or(filter.begun_before).is_some(), by_begun.then_some("runs_begun")),
        (
            filter.updated_after.or(filter.updated_before).is_some(),
            by_updated.then_some("runs_updated"),
        ),
        (filter.min_cost.or(filter.max_cost).is_some(), None),
    ];
    let mut own = own.into_iter().filter(|(is_set, _)| *is_set).map(|(_, index)| index);
    match (own.next(), own.next()) {
        (Some(index), None) => Some(index.unwrap_or(SELECTED)),
        (Some(_), Some(_)) => Some(SELECTED),
        // SQLite counts all rows without looking at them.
        (None, _) if order.is_none() => None,
        (None, _) if by_begun => Some("runs_begun"),
        (None, _) if by_updated => Some("runs_updated"),
        (None, _) if by_attention => Some(ATTENTION),
        (None, _) => Some(SELECTED),
    }
}

const fn order_by(order: RunOrder) -> &'static str {
    match order {
        RunOrder::OldestFirst => "begun, id",
        RunOrder::RecentlyUpdated => "updated DESC, begun DESC, id DESC",
        RunOrder::LeastRecentlyUpdated => "updated, begun DESC, id DESC",
        RunOrder::MostExpensive => "cost DESC, begun DESC, id DESC",
        RunOrder::Cheapest => "cost, begun DESC, id DESC",
        RunOrder::MostSteps => "steps DESC, begun DESC, id DESC",
        RunOrder::FewestSteps => "steps, begun DESC, id DESC",
        RunOrder::ByName => "run",
        RunOrder::AttentionFirst => "attention, begun DESC, id DESC",
        // Orders that are added later than this program was made.
        _ => "begun DESC, id DESC",
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    fn plan(connection: &Connection, query: &Query) -> Vec<String> {
        let mut statement =
            connection.prepare(&format!("EXPLAIN QUERY PLAN {}", query.sql)).unwrap();
        let rows = statement.query_map(&*query.values(), |row| row.get(3)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn plans(change: impl Fn(&mut RunFilter)) -> (String, String) {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::schema::migrate(&mut connection).unwrap();
        crate::runs::search::add_function(&connection).unwrap();
        let mut filter = RunFilter::default();
        change(&mut filter);
        let order = filter.order;
        let list = Selection::new(&filter, Some(order), None).ids(order, 50, 100);
        let count = Selection::new(&filter, None, None).count();
        (plan(&connection, &list).join("; "), plan(&connection, &count).join("; "))
    }

    /// A page of all runs reads the runs of this page, and those before it in the index only.
    #[test]
    fn orders_with_an_index_need_no_sorting() {
        for (order, index) in [
            (RunOrder::NewestFirst, "runs_begun"),
            (RunOrder::OldestFirst, "runs_begun"),
            (RunOrder::RecentlyUpdated, "runs_updated"),
            (RunOrder::ByName, "sqlite_autoindex_runs_1"),
        ] {
            let (list, _) = plans(|filter| filter.order = order);
            assert_eq!(list, format!("SCAN runs USING COVERING INDEX {index}"));
        }
        let (list, _) = plans(|filter| filter.order = RunOrder::AttentionFirst);
        assert_eq!(list, "SCAN runs USING INDEX runs_attention");
        // Only runs of the same millisecond are sorted.
        let (list, _) = plans(|filter| filter.order = RunOrder::LeastRecentlyUpdated);
        let expected = "SCAN runs USING COVERING INDEX runs_updated; \
            USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY";
        assert_eq!(list, expected);
    }

    /// Costs and steps change with every step, so they have no index of their own.
    #[test]
    fn other_orders_read_no_rows() {
        for order in [
            RunOrder::MostExpensive,
            RunOrder::Cheapest,
            RunOrder::MostSteps,
            RunOrder::FewestSteps,
        ] {
            let (list, _) = plans(|filter| filter.order = order);
            let expected =
                "SCAN runs USING COVERING INDEX runs_selected; USE TEMP B-TREE FOR ORDER BY";
            assert_eq!(list, expected);
        }
    }

    #[test]
    fn usual_filters_search_an_index() {
        let asking = |filter: &mut RunFilter| {
            (filter.is_asking, filter.order) = (Some(true), RunOrder::AttentionFirst);
        };
        let search = "SEARCH runs USING INDEX runs_attention (attention<?)";
        assert_eq!(plans(asking), (search.to_owned(), search.to_owned()));

        let (list, count) = plans(|filter| filter.process = Some("Orders".to_owned()));
        let search = "SEARCH runs USING COVERING INDEX runs_selected (process=?)";
        assert!(list.starts_with(search) && !list.contains("FOR ORDER BY"), "{list}");
        assert_eq!(count, search);

        let (list, count) = plans(|filter| filter.status = vec![StatusKind::Fail]);
        let search = "SEARCH runs USING COVERING INDEX runs_status (status=?)";
        assert!(list.starts_with(search) && !list.contains("FOR ORDER BY"), "{list}");
        assert_eq!(count, search);

        let (list, _) = plans(|filter| filter.is_ended = Some(false));
        assert_eq!(list, "SCAN runs USING INDEX runs_unfinished");
        let (list, _) = plans(|filter| filter.is_set_aside = Some(true));
        assert_eq!(list, "SCAN runs USING INDEX runs_set_aside");
        let (list, _) = plans(|filter| filter.begun_before = Some(std::time::SystemTime::now()));
        assert_eq!(list, "SEARCH runs USING COVERING INDEX runs_begun (begun<?)");
        let (_, count) = plans(|_| {});
        assert!(count.starts_with("SCAN runs USING COVERING INDEX"), "{count}");
    }

    /// Filters without an index of their own read one index, and no rows, which are large.
    #[test]
    fn all_other_filters_read_one_index() {
        let (list, count) = plans(|filter| {
            (filter.task, filter.min_cost) = (Some("approve".to_owned()), Some(1.0));
            (filter.is_ended, filter.is_set_aside) = (Some(true), Some(false));
            filter.status = vec![StatusKind::Fail, StatusKind::Halted];
            filter.order = RunOrder::MostSteps;
        });
        let scan = "SCAN runs USING COVERING INDEX runs_selected";
        assert_eq!(
            (list, count),
            (format!("{scan}; USE TEMP B-TREE FOR ORDER BY"), scan.to_owned())
        );
    }
}
