//! Lists and counts of runs.

use cot_store::{RunFilter, RunOrder, StatusKind, internal::millis};
use sqlx::{Arguments as _, postgres::PgArguments};

use crate::{
    database::Database,
    error::OperationError,
    runs::table::{COLUMNS, OWNER, StoredRun},
    text::escape,
};

/// Lists the runs that match a filter. A page is found first, so that owners are looked up for its runs alone.
pub(crate) async fn list(
    db: &Database,
    filter: &RunFilter,
) -> Result<Vec<StoredRun>, OperationError> {
    let mut selection = Selection::new(filter)?;
    let order = order_by(filter.order);
    let limit = filter.limit.map_or(i64::MAX, |limit| limit.try_into().unwrap_or(i64::MAX));
    let offset = i64::try_from(filter.offset).unwrap_or(i64::MAX);
    let (limit, offset) = (selection.bind(limit)?, selection.bind(offset)?);
    let conditions = selection.conditions();
    let sql = db.sql(format!(
        "SELECT {COLUMNS} \
         FROM (SELECT * FROM cot.runs r WHERE {conditions} ORDER BY {order} LIMIT {limit} OFFSET {offset}) r \
         {OWNER} ORDER BY {order}"
    ));
    let rows = sqlx::query_with(&sql, selection.values).fetch_all(&db.pool).await?;
    rows.iter().map(StoredRun::from_row).collect()
}

/// Counts the runs that match a filter, whatever its offset and limit.
pub(crate) async fn count(db: &Database, filter: &RunFilter) -> Result<u64, OperationError> {
    let selection = Selection::new(filter)?;
    let sql = db.sql(format!("SELECT count(*) FROM cot.runs r WHERE {}", selection.conditions()));
    let count: i64 = sqlx::query_scalar_with(&sql, selection.values).fetch_one(&db.pool).await?;
    Ok(count.try_into().unwrap_or_default())
}

/// The conditions of a filter, with their values.
pub(crate) struct Selection {
    conditions: Vec<String>,
    values: PgArguments,
}

impl Selection {
    fn new(filter: &RunFilter) -> Result<Self, OperationError> {
        let conditions = vec!["r.status IS NOT NULL".to_owned()];
        let mut selection = Self { conditions, values: PgArguments::default() };
        selection.add_texts(filter)?;
        selection.add_status(filter);
        selection.add_bounds(filter)?;
        Ok(selection)
    }

    fn add_texts(&mut self, filter: &RunFilter) -> Result<(), OperationError> {
        if let Some(process) = &filter.process {
            self.add("r.process = ?", escape(process).into_owned())?;
        }
        if let Some(task) = &filter.task {
            self.add("r.task = ?", escape(task).into_owned())?;
        }
        if let Some(text) = &filter.search {
            self.add("strpos(r.search, ?) > 0", escape(&text.to_lowercase()).into_owned())?;
        }
        Ok(())
    }

    fn add_status(&mut self, filter: &RunFilter) {
        if !filter.status.is_empty() {
            let words = filter.status.iter().map(|kind| StatusKind::word(*kind));
            let words: Vec<&str> = words.collect();
            self.conditions.push(format!("r.status IN ('{}')", words.join("', '")));
        }
        // Written as in the indexes, so that Postgres can use them.
        let flags = [
            (filter.is_ended, "r.is_ended", "NOT r.is_ended"),
            (filter.is_asking, "r.status = 'asking'", "r.status <> 'asking'"),
            (filter.is_set_aside, "r.set_aside_at IS NOT NULL", "r.set_aside_at IS NULL"),
        ];
        for (flag, is, is_not) in flags {
            if let Some(flag) = flag {
                self.conditions.push(if flag { is } else { is_not }.to_owned());
            }
        }
    }

    fn add_bounds(&mut self, filter: &RunFilter) -> Result<(), OperationError> {
        let times = [
            ("r.begun >= ?", filter.begun_after),
            ("r.begun < ?", filter.begun_before),
            ("r.updated >= ?", filter.updated_after),
            ("r.updated < ?", filter.updated_before),
        ];
        for (condition, time) in times {
            if let Some(time) = time {
                self.add(condition, millis(time))?;
            }
        }
        let costs = [("r.cost >= ?", filter.min_cost), ("r.cost <= ?", filter.max_cost)];
        for (condition, cost) in costs {
            if let Some(cost) = cost {
                self.add(condition, cost)?;
            }
        }
        Ok(())
    }

    /// Adds a condition with one value, which it names `?`.
    fn add<T>(&mut self, condition: &str, value: T) -> Result<(), OperationError>
    where
        T: for<'q> sqlx::Encode<'q, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        let name = self.bind(value)?;
        self.conditions.push(condition.replace('?', &name));
        Ok(())
    }

    /// Adds a value, and returns its name.
    fn bind<T>(&mut self, value: T) -> Result<String, OperationError>
    where
        T: for<'q> sqlx::Encode<'q, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
    {
        self.values.add(value).map_err(sqlx::Error::Encode)?;
        Ok(format!("${}", self.values.len()))
    }

    fn conditions(&self) -> String {
        self.conditions.join(" AND ")
    }
}

const fn order_by(order: RunOrder) -> &'static str {
    match order {
        RunOrder::OldestFirst => "r.begun, r.id",
        RunOrder::RecentlyUpdated => "r.updated DESC, r.begun DESC, r.id DESC",
        RunOrder::LeastRecentlyUpdated => "r.updated, r.begun DESC, r.id DESC",
        RunOrder::MostExpensive => "r.cost DESC, r.begun DESC, r.id DESC",
        RunOrder::Cheapest => "r.cost, r.begun DESC, r.id DESC",
        RunOrder::MostSteps => "r.steps DESC, r.begun DESC, r.id DESC",
        RunOrder::FewestSteps => "r.steps, r.begun DESC, r.id DESC",
        RunOrder::ByName => "r.run",
        RunOrder::AttentionFirst => "r.attention, r.begun DESC, r.id DESC",
        // Orders that are added later than this program was made.
        _ => "r.begun DESC, r.id DESC",
    }
}
