//! What runs have spent, by day, process, task and engine.

use std::cmp::Ordering;

use cot_engine::{Event, Failure, RunEvent};
use cot_model::Usage;
use serde::{Deserialize, Serialize};

use crate::{
    day::Day,
    record::{CallInfo, EventRecord, Record, StepRecord},
};

/// What the runs of a process have spent on a day at a task with an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spending {
    /// The day on which the calls ended.
    pub day: Day,
    /// The name of the process of the run.
    pub process: String,
    /// The task; in a sub-process after the tasks that run it, as in `research/summarize`.
    pub task: String,
    /// The id of the engine, if the task or the process names one. Repairs count without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The usage of the calls.
    pub usage: Usage,
    /// The number of attempts that asked a model. The calls of one after its tool calls are not counted again.
    pub attempts: u64,
    /// The number of these attempts that failed.
    pub failed_attempts: u64,
    /// The number of repairs that replies needed.
    pub repairs: u64,
}

impl Spending {
    /// Creates a row in which nothing is spent.
    #[must_use]
    pub fn new(
        day: Day,
        process: impl Into<String>,
        task: impl Into<String>,
        engine: Option<String>,
    ) -> Self {
        Self {
            day,
            process: process.into(),
            task: task.into(),
            engine,
            usage: Usage::default(),
            attempts: 0,
            failed_attempts: 0,
            repairs: 0,
        }
    }

    /// Returns what a record adds when it is appended to the journal of a run of this process. Stores add each
    /// of these to the row of the same day, process, task and engine.
    ///
    /// The start of a fork adds nothing, so that steps that runs share count once.
    #[must_use]
    pub fn from_record(process: &str, record: &Record) -> Vec<Self> {
        match record {
            Record::Event(event) => Self::from_event(process, event).into_iter().collect(),
            Record::Step(StepRecord { at, notes, .. }) => {
                let row = |note| Self::from_note(Day::from_time(*at), process, note, String::new());
                notes.iter().filter_map(row).collect()
            }
            Record::Submitted(_) | Record::Begun(_) => Vec::new(),
        }
    }

    /// Returns what the end of a model call adds.
    fn from_event(process: &str, EventRecord { at, asked, event }: &EventRecord) -> Option<Self> {
        let CallInfo { key, engine, prompt, .. } = asked.as_ref()?;
        let (usage, is_failed) = match event {
            Event::Replied { reply, .. } => (reply.usage, false),
            Event::Failed { .. } => (Usage::default(), true),
            // Functions and people can be late too.
            Event::TimedOut { .. } if prompt.is_some() => (Usage::default(), true),
            _ => return None,
        };
        let task = key.visits().map(|visit| &*visit.task).collect::<Vec<_>>().join("/");
        Some(Self {
            usage: usage.normalize_cost(),
            attempts: u64::from(key.round() == 0),
            failed_attempts: u64::from(is_failed),
            ..Self::new(Day::from_time(*at), process, task, engine.clone())
        })
    }

    /// Returns what a run event adds. `outer` has the tasks that run its sub-process.
    fn from_note(day: Day, process: &str, note: &RunEvent, outer: String) -> Option<Self> {
        let within = |task: &str| outer.clone() + task;
        match note {
            // The other failures are those of functions, or are counted with the event of the call.
            RunEvent::AttemptFailed { task, attempt, .. }
                if matches!(
                    attempt.failure,
                    Failure::Rejected | Failure::Truncated | Failure::Refused
                ) && attempt.usage.calls > 0 =>
            {
                let row = Self::new(day, process, within(task), attempt.engine.clone());
                Some(Self { failed_attempts: 1, ..row })
            }
            RunEvent::Repaired { task, repairs, .. } if !repairs.is_empty() => {
                let repairs = u64::try_from(repairs.len()).unwrap_or(u64::MAX);
                Some(Self { repairs, ..Self::new(day, process, within(task), None) })
            }
            RunEvent::Nested { task, event, .. } => {
                Self::from_note(day, process, event, within(task) + "/")
            }
            _ => None,
        }
    }

    /// Compares the rows by day, process, task and engine: the order in which stores list them. Two rows are
    /// equal if they belong together.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        let key = |row: &Self| row.day;
        key(self).cmp(&key(other)).then_with(|| {
            let [one, other] =
                [self, other].map(|Self { process, task, engine, .. }| (process, task, engine));
            one.cmp(&other)
        })
    }

    /// Adds the numbers of another row, whatever its day, process, task and engine.
    pub fn add(&mut self, other: &Self) {
        self.usage += other.usage;
        self.attempts = self.attempts.saturating_add(other.attempts);
        self.failed_attempts = self.failed_attempts.saturating_add(other.failed_attempts);
        self.repairs = self.repairs.saturating_add(other.repairs);
    }
}

/// Selects rows of [`Store::spending`](crate::Store::spending). A field that is `None` matches all rows.
///
/// ```
/// use cot_core::store::SpendingFilter;
///
/// let mut november = SpendingFilter::default();
/// november.from = Some("2026-11-01".parse()?);
/// november.until = Some("2026-11-30".parse()?);
/// # Ok::<(), cot_core::store::ParseDayError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpendingFilter {
    /// The first day.
    pub from: Option<Day>,
    /// The last day.
    pub until: Option<Day>,
    /// Only the runs of this process.
    pub process: Option<String>,
}

impl SpendingFilter {
    /// Returns whether a row matches all fields.
    #[must_use]
    pub fn matches(&self, row: &Spending) -> bool {
        self.from.is_none_or(|from| from <= row.day)
            && self.until.is_none_or(|until| row.day <= until)
            && self.process.as_ref().is_none_or(|process| *process == row.process)
    }
}
