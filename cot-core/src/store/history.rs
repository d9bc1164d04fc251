//! What has happened in a run, told step by step.

mod attempt;
mod show;
mod tell;

use std::time::{Duration, SystemTime};

use cot_model::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::attempt::{Answer, AttemptHistory};
use self::tell::Teller;
use super::{RunId, RunSummary, Store, StoreError, journal::page};

/// What has happened in a run, step by step, for people and programs that look at it. No type of its process
/// is needed. It is made for JSON, and prints as text.
///
/// ```
/// use cot_core::store::{MemoryStore, RunHistory};
/// # use cot_core::{CotOutput, cot_process, model::ScriptedModel};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// #
/// # #[derive(Clone, Default, Serialize, Deserialize)]
/// # pub struct Greeting {
/// #     text: String,
/// # }
/// #
/// # #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// # pub struct Said {
/// #     text: String,
/// # }
/// #
/// # cot_process! {
/// #     pub process Greeter {
/// #         state: Greeting,
/// #         task greet -> Said { prompt: "Say hello.", update: { text = output.text }, next: done }
/// #         task done { end }
/// #     }
/// # }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let store = MemoryStore::default();
/// let model = ScriptedModel::new(["Hm.", r#"{"text":"Hello"}"#]);
/// Greeter::runner().model(model).store(store.clone()).run_id("hello").run(Greeting::default()).await?;
///
/// let history = RunHistory::load(&store, &"hello".parse()?).await?.unwrap();
/// let greet = &history.steps[0];
/// assert_eq!((greet.task.as_str(), greet.attempts.len()), ("greet", 2));
/// assert!(greet.attempts[0].failure.is_some());
/// assert_eq!(greet.output, Some(serde_json::json!({ "text": "Hello" })));
/// assert_eq!(greet.next.as_deref(), Some("done"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunHistory {
    /// The run at a glance.
    pub summary: RunSummary,
    /// Its steps, but for those that a fork has in common with the run that it comes from.
    pub steps: Vec<StepHistory>,
}

/// A visit of a task that does something.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepHistory {
    /// Its number in its process, from 1. In the numbers of a process, the steps of those that its tasks run
    /// count too, so that some are left out.
    pub step: u64,
    /// The task.
    pub task: String,
    /// The process of the task, where it is not that of the run but one that a task of it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// What was asked, and what came of it, in the order in which it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptHistory>,
    /// The items of a for-each task for which there is a valid output, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items_done: Vec<usize>,
    /// The steps of the process that the task runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<StepHistory>,
    /// Whether an output was written into the state.
    pub is_committed: bool,
    /// The output, as it was committed, where the run keeps it: in its history, or as its last output. That of
    /// a step of a process within is known to its attempts alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// Where the model chose to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<Transition>,
    /// When it was over.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::millis::option")]
    pub finished: Option<SystemTime>,
    /// Where the run went then; none when it ended there, or is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Why it went there, in a word; none of a step that is not over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
}

/// A choice of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// Where it goes.
    pub go_to: String,
    /// What the model means to do.
    pub intent: String,
    /// What the model means to do after that.
    pub step_after: String,
}

impl RunHistory {
    /// Reads what has happened in a run, up to now; `None` for a run that does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] at the first entry that can't be read, and what keeps the store from reading.
    pub async fn load(store: &dyn Store, run: &RunId) -> Result<Option<Self>, StoreError> {
        let Some(mut summary) = store.run(run).await? else { return Ok(None) };
        let mut teller = Teller::default();
        let mut next = 0;
        loop {
            let entries = page(store, run, next).await?;
            let Some(last) = entries.last() else { break };
            next = last.number + 1;
            for entry in entries {
                if entry.number >= summary.entries {
                    summary.apply(&entry.record)?;
                }
                teller.take(run, entry)?;
            }
        }
        Ok(Some(Self { summary, steps: teller.finish() }))
    }
}

impl StepHistory {
    fn of(task: String) -> Self {
        Self { task, ..Self::default() }
    }

    /// What its calls consumed, those of the processes within too.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let attempts = self.attempts.iter().map(|attempt| attempt.usage);
        let nested = self.nested.iter().map(Self::usage);
        attempts.chain(nested).fold(Usage::default(), std::ops::Add::add)
    }

    /// How long its calls took, added up, those of the processes within too. What people take is not known.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let attempts = self.attempts.iter().map(|attempt| attempt.elapsed);
        let nested = self.nested.iter().map(Self::elapsed);
        attempts.chain(nested).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.route.is_some()
    }
}
