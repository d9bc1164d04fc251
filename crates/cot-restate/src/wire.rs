//! The inputs and outputs of the handlers.

use std::{fmt, marker::PhantomData, time::Duration};

use cot_core::{Attempt, Ending, Halt, HaltReason, Issues, MachineOptions, TaskId, Usage};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// The input of a run: its state, and options that override the declaration.
///
/// ```
/// let start: cot_restate::Start<Vec<u8>> =
///     serde_json::from_str(r#"{"state": [], "options": {"goal": "be brief"}}"#)?;
/// assert_eq!(start.options.goal.as_deref(), Some("be brief"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start<S> {
    /// The initial state.
    pub state: S,
    /// Goal and limits; optional.
    #[serde(default)]
    pub options: MachineOptions,
}

impl<S> Start<S> {
    /// Creates an input with the goal and the limits of the declaration.
    pub fn new(state: S) -> Self {
        Self { state, options: MachineOptions::default() }
    }
}

/// The result of a finished run, also of one that has failed: [`Outcome::why`] tells.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunResult<S> {
    /// The task and the kind of the end.
    pub outcome: Outcome,
    /// The final state.
    pub state: S,
    /// The model calls, tokens and cost of the run.
    pub usage: Usage,
    /// The number of steps; a step is a visit to a task that does work.
    pub steps: u64,
}

/// The task at which a run ended, and how. In JSON: `{"kind": "end", "task": "done"}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The run reached an `end` task.
    End {
        /// The name of the task.
        task: String,
    },
    /// The run reached a `fail` task.
    Fail {
        /// The name of the task.
        task: String,
        /// The reason that the task gives.
        why: String,
    },
    /// No route of the task applied, and no task had called it.
    RanOut {
        /// The name of the task.
        task: String,
    },
    /// The task could not be completed.
    Halted {
        /// The name of the task.
        task: String,
        /// The cause.
        reason: HaltReason,
        /// The attempts at the task, in order.
        attempts: Vec<Attempt>,
    },
}

impl Outcome {
    /// Returns why the run failed: the message of the `fail` task, or the task at which it halted and the reason.
    /// `None` if the run has not failed.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        match self {
            Self::End { .. } | Self::RanOut { .. } => None,
            Self::Fail { why, .. } => Some(why.clone()),
            Self::Halted { task, reason, .. } => Some(format!("task `{task}`: {reason}")),
        }
    }
}

impl<T: TaskId> From<Ending<T>> for Outcome {
    fn from(ending: Ending<T>) -> Self {
        let name = |task: T| task.name().to_owned();
        match ending {
            Ending::End(task) => Self::End { task: name(task) },
            Ending::Fail(task, why) => Self::Fail { task: name(task), why },
            Ending::RanOut(task) => Self::RanOut { task: name(task) },
            Ending::Halted(Halt { task, reason, attempts, .. }) => {
                Self::Halted { task: name(task), reason, attempts }
            }
        }
    }
}

/// The status of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Status {
    /// The name of the process.
    pub process: String,
    /// The current task; during a sub-process, the task that runs it.
    pub task: String,
    /// The current activity.
    pub doing: Activity,
    /// The tasks that called the current one and wait for it, outermost first.
    pub callers: Vec<String>,
    /// The number of steps so far; a step is a visit to a task that does work.
    pub steps: u64,
    /// The model calls, tokens and cost so far.
    pub usage: Usage,
    /// The question to a person, if the run waits for an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<PendingQuestion>,
}

/// The current activity of a run. Calls are named by their keys in the journal. In JSON: `{"kind":
/// "asks_model", "call": "decide#3@1"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Activity {
    /// Waits for a model.
    AsksModel {
        /// The key of the call.
        call: String,
    },
    /// Waits for models, for several items at once.
    AsksModels {
        /// The keys of the calls in flight, oldest first; at most one hundred.
        calls: Vec<String>,
        /// The number of calls in flight.
        #[serde(default)]
        in_flight: usize,
    },
    /// Waits for a function.
    RunsCode {
        /// The key of the call.
        call: String,
    },
    /// Waits for a person.
    AsksPerson {
        /// The key of the call, which an answer may name.
        call: String,
    },
    /// Waits for a duration.
    Waits {
        /// The whole duration.
        duration: Duration,
    },
    /// Finished; the result of `run` has the outcome.
    Ended,
}

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingQuestion {
    /// The key of the call, which identifies the question. An answer may name it.
    pub call: String,
    /// The task that asks; in a sub-process, the task that runs it.
    pub task: String,
    /// The text of the question.
    pub text: String,
    /// The JSON schema of the answer.
    pub schema: Value,
    /// The issues of the previous answer, if it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Issues>,
    /// The time limit of the answer. A rejected answer does not extend it: the next question has the
    /// remaining time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The time at which the question was asked, in milliseconds since 1970.
    #[serde(default)]
    pub since: u64,
}

/// An answer to the question of a human task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The key of the question's call. If the run has another question now, the answer is rejected.
    /// Without it, the current question is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The answer, which must match the schema of the question.
    pub answer: Value,
}

/// The outcome of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnswerOutcome {
    /// Whether the run continues with the answer. Otherwise it asks again, or fails as the task
    /// declares.
    pub accepted: bool,
    /// The issues of the answer, if it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Issues>,
}

/// A value as the JSON text in the journal. It is not parsed and serialized again, so that unordered
/// maps keep their order.
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct RawJson<T> {
    json: Box<RawValue>,
    #[serde(skip)]
    value: PhantomData<fn() -> T>,
}

impl<T> RawJson<T> {
    pub(crate) fn new(value: &(impl Serialize + ?Sized)) -> serde_json::Result<Self> {
        Ok(Self { json: serde_json::value::to_raw_value(value)?, value: PhantomData })
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        self.json.get()
    }
}

impl<T: DeserializeOwned> RawJson<T> {
    /// Deserializes the value.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not match the type.
    pub fn read(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.json())
    }
}

impl<T> Clone for RawJson<T> {
    fn clone(&self) -> Self {
        Self { json: self.json.clone(), value: PhantomData }
    }
}

impl<T> fmt::Debug for RawJson<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawJson").field(&self.json()).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn outcomes_are_plain_json() {
        let fail = Outcome::Fail { task: "refused".to_owned(), why: "too dull".to_owned() };
        let json = json!({ "kind": "fail", "task": "refused", "why": "too dull" });
        assert_eq!(serde_json::to_value(&fail).unwrap(), json);
        assert_eq!(serde_json::from_value::<Outcome>(json).unwrap(), fail);
        let doing = Activity::AsksModel { call: "decide#3@1".to_owned() };
        let json = json!({ "kind": "asks_model", "call": "decide#3@1" });
        assert_eq!(serde_json::to_value(doing).unwrap(), json);
    }

    #[test]
    fn what_is_written_stays_as_it_is() {
        let text = r#"{"b": 1,"a":   2.50}"#;
        let written: RawJson<Value> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&written).unwrap(), text);
        assert_eq!(written.read().unwrap(), json!({ "a": 2.5, "b": 1 }));
    }

    #[test]
    fn a_misspelled_member_is_refused() {
        let start = serde_json::from_str::<Start<u8>>(r#"{"state": 1, "option": {}}"#);
        assert!(start.unwrap_err().to_string().contains("option"));
    }
}
