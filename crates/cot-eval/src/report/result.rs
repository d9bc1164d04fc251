//! The result of a trial.

use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime},
};

use cot_model::Usage;
use cot_store::RunId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::score::Score;

/// The result of a trial: a run of a case with a variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TrialResult {
    /// The name of the variant.
    pub variant: String,
    /// The name of the case.
    pub case: String,
    /// The tags of the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The number of the repeat, from 1.
    pub repeat: u32,
    /// Whether all scores are at least what their scorers ask for.
    pub passed: bool,
    /// The scores, by the names of the scorers.
    pub scores: BTreeMap<String, Score>,
    /// The task at which the run ended or halted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Why the run failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Why the trial says nothing of the process: the run could not be started or stored, or its model not be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The state in which the run ended, as JSON, if the trial did not pass. Images and documents are references. A report has
    /// states of 64 MB at most, those of the first trials that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Value>,
    /// The name of the run in its store, if the runner of the variant has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The usage of the run. Calls that a cache has answered count as when they were made.
    pub usage: Usage,
    /// The time of the run. Replies of a cache take none.
    pub elapsed: Duration,
    /// When the run ended, until the report is made: it has only the last of these times.
    #[serde(skip)]
    pub(crate) at: Option<SystemTime>,
    /// The totals of the tasks, by their names. Tasks of a sub-process have the name of the task that runs it before
    /// theirs, with a dot between.
    pub tasks: BTreeMap<String, TaskTotals>,
}

/// The totals of a task in one or several runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TaskTotals {
    /// The number of visits.
    pub visits: u64,
    /// The number of replies of models that were accepted: outputs, those of items, and choices of a transition.
    #[serde(default)]
    pub accepted_replies: u64,
    /// The number of failed attempts.
    pub failed_attempts: u64,
    /// The number of these after which the task asked again.
    pub retries: u64,
    /// The number of replies that were read after repairs.
    pub repaired_replies: u64,
    /// The usage of all attempts. That of a task with a sub-process includes the accepted attempts in it.
    pub usage: Usage,
}

impl TrialResult {
    /// Creates the result of a trial without a run.
    pub(crate) fn new(variant: &str, case: &str, tags: &[String], repeat: u32) -> Self {
        Self {
            variant: variant.to_owned(),
            case: case.to_owned(),
            tags: tags.to_vec(),
            repeat,
            passed: false,
            scores: BTreeMap::new(),
            end: None,
            why: None,
            error: None,
            state: None,
            run: None,
            at: None,
            usage: Usage::default(),
            elapsed: Duration::ZERO,
            tasks: BTreeMap::new(),
        }
    }
}

impl TaskTotals {
    pub(crate) fn add(&mut self, other: &Self) {
        // A report is a file, which can have any numbers.
        let add = |own: &mut u64, more: u64| *own = own.saturating_add(more);
        add(&mut self.visits, other.visits);
        add(&mut self.accepted_replies, other.accepted_replies);
        add(&mut self.failed_attempts, other.failed_attempts);
        add(&mut self.retries, other.retries);
        add(&mut self.repaired_replies, other.repaired_replies);
        self.usage += other.usage;
    }
}
