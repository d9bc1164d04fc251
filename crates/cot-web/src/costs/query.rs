//! What the page of costs is asked for.

use cot_store::{Day, Spending, SpendingFilter};

use crate::{links::with_query, visit::Visit};

/// What the page shows.
#[derive(Debug, Clone)]
pub(super) struct CostsQuery {
    pub(super) filter: SpendingFilter,
    /// The number of days up to today, unless the days are given.
    pub(super) days: Option<u32>,
    pub(super) split: Split,
    /// What the chart shows, if it was chosen.
    pub(super) measure: Option<Measure>,
    /// What was not understood.
    pub(super) issue: Option<String>,
}

/// What the bars of the chart consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    Process,
    Task,
    Engine,
}

/// What the bars of the chart measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Cost,
    Tokens,
    Calls,
}

/// The ranges of days that are offered; the second one is the default.
pub(super) const RANGES: [u32; 4] = [7, 30, 90, 365];

impl Split {
    pub(super) const ALL: [Self; 3] = [Self::Process, Self::Task, Self::Engine];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Task => "task",
            Self::Engine => "engine",
        }
    }

    /// Returns the name of the part of a bar to which a row belongs.
    pub(super) fn part_name(self, row: &Spending) -> String {
        match self {
            Self::Process => row.process.clone(),
            Self::Task => format!("{} · {}", row.process, row.task),
            Self::Engine => row.engine.clone().unwrap_or_else(|| "(default engine)".to_owned()),
        }
    }
}

impl Measure {
    pub(super) const ALL: [Self; 3] = [Self::Cost, Self::Tokens, Self::Calls];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Tokens => "tokens",
            Self::Calls => "calls",
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "bars are not that exact")]
    pub(super) fn amount(self, row: &Spending) -> f64 {
        let usage = &row.usage;
        match self {
            Self::Cost => usage.cost,
            Self::Tokens => usage.input_tokens.saturating_add(usage.output_tokens) as f64,
            Self::Calls => usage.calls as f64,
        }
    }

    /// Formats a value of this measure.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of counts")]
    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::Cost => crate::frame::number::money(value),
            Self::Tokens => crate::frame::number::tokens(value as u64),
            Self::Calls => crate::frame::number::grouped(value as u64),
        }
    }
}

impl CostsQuery {
    /// Reads the query of the address.
    pub(super) fn read(visit: &Visit) -> Self {
        let query = visit.query();
        let mut issue = None;
        let mut day = |name: &str| {
            let text = query.filled(name)?;
            let day = text.parse::<Day>();
            day.map_err(|error| issue = Some(error.to_string())).ok()
        };
        let (from, until) = (day("from"), day("until"));
        let mut filter = SpendingFilter::default();
        filter.process = query.filled("process").map(str::to_owned);
        let is_given = from.is_some() || until.is_some();
        let is_all = query.filled("days") == Some("all");
        let days = (!is_given && !is_all)
            .then(|| query.parsed("days").unwrap_or(RANGES[1]).clamp(1, 4_000));
        let today = Day::from_time(visit.now());
        filter.from = match days {
            Some(days) => Some(Day::from_number((today.number() + 1).saturating_sub(days))),
            None => from,
        };
        filter.until = until;
        if let (Some(from), Some(until)) = (filter.from, filter.until)
            && from > until
        {
            issue = Some(format!("The range begins on {from}, after it ends on {until}."));
        }
        let word = |name: &str| query.filled(name).unwrap_or_default();
        let split = Split::ALL.into_iter().find(|split| split.word() == word("split"));
        let measure = Measure::ALL.into_iter().find(|measure| measure.word() == word("measure"));
        Self { filter, days, split: split.unwrap_or(Split::Process), measure, issue }
    }

    /// Returns the address of the page with some parts of the query replaced.
    pub(super) fn with(visit: &Visit, changes: &[(&str, &str)]) -> String {
        let is_changed = |name: &str| changes.iter().any(|(changed, _)| *changed == name);
        let mut query: Vec<_> =
            visit.query().iter().filter(|(name, _)| !is_changed(name)).collect();
        query.extend(changes.iter().filter(|(_, value)| !value.is_empty()).copied());
        with_query(visit.links().costs(), &query)
    }
}
