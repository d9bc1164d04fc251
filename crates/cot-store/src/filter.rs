//! The filter of runs, and their order.

use std::{
    cmp::{Ordering, Reverse},
    time::SystemTime,
};

use crate::{
    millis::round_to_millis,
    status::{Status, StatusKind},
    summary::RunSummary,
};

/// A filter of runs. A field that is `None` or empty matches all runs. Times are compared in milliseconds.
///
/// ```
/// use cot_core::store::{RunFilter, RunOrder};
///
/// let mut filter = RunFilter::default();
/// filter.process = Some("DsBuilder".to_owned());
/// filter.is_ended = Some(false);
/// filter.order = RunOrder::RecentlyUpdated;
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct RunFilter {
    /// Only the runs of this process.
    pub process: Option<String>,
    /// Only the runs that are at this task.
    pub task: Option<String>,
    /// Only runs with one of these kinds of status.
    pub status: Vec<StatusKind>,
    /// Only runs that have ended, or only runs that have not.
    pub is_ended: Option<bool>,
    /// Only runs that wait for a person's answer, or only runs that do not.
    pub is_asking: Option<bool>,
    /// Only runs that are [set aside](RunSummary::set_aside), or only runs that are not.
    pub is_set_aside: Option<bool>,
    /// Only runs with this text in their name, process, task, question or reason of the ending, in upper or
    /// lower case: in the [searched text](RunSummary::search_text).
    pub search: Option<String>,
    /// Only the runs that started at this time or later.
    pub begun_after: Option<SystemTime>,
    /// Only the runs that started before this time.
    pub begun_before: Option<SystemTime>,
    /// Only the runs whose last entry is of this time or later.
    pub updated_after: Option<SystemTime>,
    /// Only the runs whose last entry is older than this time.
    pub updated_before: Option<SystemTime>,
    /// Only the runs that cost at least this much.
    pub min_cost: Option<f64>,
    /// Only the runs that cost at most this much.
    pub max_cost: Option<f64>,
    /// The order of the runs.
    pub order: RunOrder,
    /// The number of runs to leave out at the beginning of the list.
    pub offset: usize,
    /// The maximum number of runs.
    pub limit: Option<usize>,
}

/// The order of a list of runs. Runs that compare equal are listed as by [`NewestFirst`](Self::NewestFirst).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunOrder {
    /// By their start, the latest first. Of runs that started in the same millisecond, the one that was stored
    /// last is the first.
    #[default]
    NewestFirst,
    /// The reverse of [`NewestFirst`](Self::NewestFirst).
    OldestFirst,
    /// By their last entry, the latest first.
    RecentlyUpdated,
    /// By their last entry, the earliest first.
    LeastRecentlyUpdated,
    /// By their cost, the highest first.
    MostExpensive,
    /// By their cost, the lowest first.
    Cheapest,
    /// By the number of their steps, the highest first.
    MostSteps,
    /// By the number of their steps, the lowest first.
    FewestSteps,
    /// By their names.
    ByName,
    /// Runs that wait for a person's answer first, by the ends of their time limits, those without one last; then
    /// runs that are [set aside](RunSummary::set_aside); then all others.
    AttentionFirst,
}

impl RunFilter {
    /// Returns whether a run matches all fields but the offset and the limit.
    #[must_use]
    pub fn matches(&self, run: &RunSummary) -> bool {
        let is_asking = matches!(run.status, Status::Asking { .. });
        self.process.as_ref().is_none_or(|process| *process == run.process)
            && self.task.as_ref().is_none_or(|task| task == run.status.task())
            && (self.status.is_empty() || self.status.contains(&run.status.kind()))
            && self.is_ended.is_none_or(|ended| ended == run.status.is_ended())
            && self.is_asking.is_none_or(|asking| asking == is_asking)
            && self.is_set_aside.is_none_or(|aside| aside == run.set_aside.is_some())
            && self.begun_after.is_none_or(|time| run.begun >= round_to_millis(time))
            && self.begun_before.is_none_or(|time| run.begun < round_to_millis(time))
            && self.updated_after.is_none_or(|time| run.updated >= round_to_millis(time))
            && self.updated_before.is_none_or(|time| run.updated < round_to_millis(time))
            && self.min_cost.is_none_or(|cost| run.usage.cost >= cost)
            && self.max_cost.is_none_or(|cost| run.usage.cost <= cost)
            && self
                .search
                .as_ref()
                .is_none_or(|text| run.search_text().contains(&text.to_lowercase()))
    }
}

impl RunOrder {
    /// Compares two runs, of which the first was stored after the second if `is_later`.
    #[must_use]
    pub fn compare(self, one: &RunSummary, other: &RunSummary, is_later: bool) -> Ordering {
        let by_store = if is_later { Ordering::Less } else { Ordering::Greater };
        let newest = || other.begun.cmp(&one.begun).then(by_store);
        let updated = || one.updated.cmp(&other.updated);
        let cost = || one.usage.cost.total_cmp(&other.usage.cost);
        let steps = || one.steps.cmp(&other.steps);
        let order = match self {
            Self::NewestFirst => Ordering::Equal,
            Self::OldestFirst => return newest().reverse(),
            Self::RecentlyUpdated => updated().reverse(),
            Self::LeastRecentlyUpdated => updated(),
            Self::MostExpensive => cost().reverse(),
            Self::Cheapest => cost(),
            Self::MostSteps => steps().reverse(),
            Self::FewestSteps => steps(),
            Self::ByName => one.run.cmp(&other.run),
            Self::AttentionFirst => attention(one).cmp(&attention(other)),
        };
        order.then_with(newest)
    }
}

/// Returns how urgent it is that people attend to a run, the smallest value first.
const fn attention(run: &RunSummary) -> (u8, Reverse<bool>, Option<SystemTime>) {
    match &run.status {
        Status::Asking { until, .. } => (0, Reverse(until.is_some()), *until),
        _ if run.set_aside.is_some() => (1, Reverse(false), None),
        _ => (2, Reverse(false), None),
    }
}
