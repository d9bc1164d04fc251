//! What the address of the table says: the filter, the order, and the page.

use std::time::{Duration, SystemTime};

use cot_store::{RunFilter, RunOrder, StatusKind};

use crate::{fields::Fields, links::Links};

/// The runs on one page.
pub(crate) const PAGE_SIZE: u64 = 50;
/// The longest text that is searched for, in characters.
const MAX_SEARCH: usize = 200;

/// A group of runs by their status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    All,
    Asking,
    SetAside,
    Running,
    Queued,
    Sleeping,
    Failed,
    Succeeded,
}

impl Group {
    pub(crate) const ALL: [Self; 8] = [
        Self::All,
        Self::Asking,
        Self::SetAside,
        Self::Running,
        Self::Queued,
        Self::Sleeping,
        Self::Failed,
        Self::Succeeded,
    ];

    /// Returns the word in addresses.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Asking => "asking",
            Self::SetAside => "set_aside",
            Self::Running => "running",
            Self::Queued => "queued",
            Self::Sleeping => "sleeping",
            Self::Failed => "failed",
            Self::Succeeded => "succeeded",
        }
    }

    /// Returns the words on the page.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::All => "All runs",
            Self::Asking => "Ask a person",
            Self::SetAside => "Set aside",
            Self::Running => "Running",
            Self::Queued => "Queued",
            Self::Sleeping => "Sleeping",
            Self::Failed => "Failed",
            Self::Succeeded => "Succeeded",
        }
    }

    /// Restricts a filter to the group.
    pub(crate) fn restrict(self, filter: &mut RunFilter) {
        filter.status = match self {
            Self::All => return,
            Self::SetAside => {
                filter.is_set_aside = Some(true);
                return;
            }
            Self::Asking => vec![StatusKind::Asking],
            Self::Running => vec![StatusKind::Running],
            Self::Queued => vec![StatusKind::Queued],
            Self::Sleeping => vec![StatusKind::Sleeping],
            Self::Failed => vec![StatusKind::Fail, StatusKind::RanOut, StatusKind::Halted],
            Self::Succeeded => vec![StatusKind::End],
        };
    }
}

/// The orders of the table, with their words in addresses.
pub(crate) const ORDERS: [(&str, RunOrder); 10] = [
    ("", RunOrder::AttentionFirst),
    ("newest", RunOrder::NewestFirst),
    ("oldest", RunOrder::OldestFirst),
    ("recent", RunOrder::RecentlyUpdated),
    ("stale", RunOrder::LeastRecentlyUpdated),
    ("costly", RunOrder::MostExpensive),
    ("cheap", RunOrder::Cheapest),
    ("long", RunOrder::MostSteps),
    ("short", RunOrder::FewestSteps),
    ("name", RunOrder::ByName),
];

/// The ages by which runs are selected, with their words in addresses.
pub(crate) const AGES: [(&str, &str, u64); 5] = [
    ("1h", "last hour", 3_600),
    ("24h", "last 24 hours", 86_400),
    ("7d", "last 7 days", 7 * 86_400),
    ("30d", "last 30 days", 30 * 86_400),
    ("365d", "last year", 365 * 86_400),
];

/// What the address of the table says. A parameter that can't be read counts as absent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableQuery {
    pub(crate) search: String,
    pub(crate) process: String,
    pub(crate) task: String,
    pub(crate) group: Group,
    /// A word of [`AGES`], or empty.
    pub(crate) age: &'static str,
    pub(crate) min_cost: Option<f64>,
    /// A word of [`ORDERS`].
    pub(crate) sort: &'static str,
    /// From 1.
    pub(crate) page: u64,
}

impl TableQuery {
    pub(crate) fn parse(fields: &Fields) -> Self {
        let text =
            |name| fields.filled(name).unwrap_or_default().chars().take(MAX_SEARCH).collect();
        let word = |name| fields.filled(name).unwrap_or_default();
        let group = Group::ALL.into_iter().find(|group| group.word() == word("status"));
        let age = AGES.iter().find(|(age, ..)| *age == word("age"));
        let sort = ORDERS.iter().find(|(sort, _)| *sort == word("sort"));
        let cost = fields.parsed::<f64>("cost").filter(|cost| cost.is_finite() && *cost > 0.0);
        Self {
            search: text("q"),
            process: text("process"),
            task: text("task"),
            group: group.unwrap_or(Group::All),
            age: age.map_or("", |(age, ..)| age),
            min_cost: cost,
            sort: sort.map_or("", |(sort, _)| sort),
            page: fields.parsed::<u64>("page").unwrap_or(1).max(1),
        }
    }

    /// Returns whether the table is restricted in any way.
    pub(crate) fn is_filtered(&self) -> bool {
        let Self { search, process, task, age, .. } = self;
        self.group != Group::All
            || self.min_cost.is_some()
            || [search, process, task].into_iter().any(|text| !text.is_empty())
            || !age.is_empty()
    }

    /// Returns the filter of the page, without offset and limit.
    pub(crate) fn filter(&self, now: SystemTime) -> RunFilter {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let mut filter = RunFilter::default();
        self.group.restrict(&mut filter);
        filter.search = some(&self.search);
        filter.process = some(&self.process);
        filter.task = some(&self.task);
        let age = AGES.iter().find(|(age, ..)| *age == self.age);
        filter.updated_after =
            age.and_then(|(_, _, seconds)| now.checked_sub(Duration::from_secs(*seconds)));
        filter.min_cost = self.min_cost;
        let order = ORDERS.iter().find(|(sort, _)| *sort == self.sort);
        filter.order = order.map_or(RunOrder::AttentionFirst, |(_, order)| *order);
        filter
    }

    /// Returns the address of the table with this query.
    pub(crate) fn address(&self, links: &Links) -> String {
        let (cost, page) = (self.min_cost.map(|cost| cost.to_string()), self.page.to_string());
        let all = [
            ("q", self.search.as_str()),
            ("process", &self.process),
            ("task", &self.task),
            ("status", self.group.word()),
            ("age", self.age),
            ("cost", cost.as_deref().unwrap_or_default()),
            ("sort", self.sort),
            ("page", if self.page > 1 { &page } else { "" }),
        ];
        let given: Vec<_> = all.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        links.home_with(&given)
    }

    /// Returns the query with a change, on its first page.
    pub(crate) fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = Self { page: 1, ..self.clone() };
        change(&mut changed);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_make_no_sense_count_as_absent() {
        let plain = TableQuery::parse(&Fields::default());
        let odd = b"page=-1&sort=x&status=%00&age=1y&cost=NaN&q=%20";
        assert_eq!(TableQuery::parse(&Fields::parse(odd)), plain);
        assert!(!plain.is_filtered());
        assert_eq!(plain.address(&Links::new("")), "/");
    }

    #[test]
    fn addresses_contain_the_query() {
        let text = "/?q=a+b&status=failed&age=7d&cost=0.5&sort=costly&page=3";
        let query = TableQuery::parse(&Fields::parse(&text.as_bytes()[2..]));
        assert_eq!(query.address(&Links::new("")), text);
        let other = query.with(|query| query.group = Group::Asking);
        assert_eq!(other.page, 1);
        assert_eq!(other.filter(SystemTime::UNIX_EPOCH).min_cost, Some(0.5));
    }
}
