//! What goes over the wire: what a run is given, what it tells, and how it ends.

use std::{fmt, marker::PhantomData, time::Duration};

use cot_core::{Attempt, Ending, Halt, HaltReason, Issues, MachineOptions, TaskId, Usage};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// What a run is given: its state, and the options that come before the declaration.
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
    /// The state to begin with.
    pub state: S,
    /// Goal and limits; may be left out.
    #[serde(default)]
    pub options: MachineOptions,
}

impl<S> Start<S> {
    /// A run from a state, with the goal and the limits of the declaration.
    pub fn new(state: S) -> Self {
        Self { state, options: MachineOptions::default() }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ended<S> {
    /// Where and how.
    pub outcome: Outcome,
    /// The state that was left.
    pub state: S,
    /// What the run consumed.
    pub usage: Usage,
    /// How many times it came to a task that does something.
    pub steps: u64,
}

/// Where and how a run ended. In JSON: `{"kind": "end", "task": "done"}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// At an `end` task.
    End {
        /// Its name.
        task: String,
    },
    /// At a `fail` task.
    Fail {
        /// Its name.
        task: String,
        /// What it says.
        why: String,
    },
    /// At a task that ran out of routes.
    RanOut {
        /// Its name.
        task: String,
    },
    /// At a task that could not be done.
    Halted {
        /// Its name.
        task: String,
        /// What happened.
        reason: HaltReason,
        /// The attempts at it, the last one last.
        attempts: Vec<Attempt>,
    },
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

/// Where a run stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Status {
    /// Name of the process.
    pub process: String,
    /// The task at which the run stands; while a sub-process runs, the task that runs it.
    pub task: String,
    /// What is being done there.
    pub doing: Doing,
    /// The tasks whose transitions led here and that still wait, the outermost first.
    pub callers: Vec<String>,
    /// How many times the run has come to a task that does something.
    pub steps: u64,
    /// What the run has consumed.
    pub usage: Usage,
    /// What a person is asked, if somebody is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Waiting>,
}

/// What a run is doing. The calls are told by their keys, as they stand in the journal. In JSON:
/// `{"kind": "asks_model", "call": "decide#3@1"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Doing {
    /// It waits for a model.
    AsksModel {
        /// The call.
        call: String,
    },
    /// It waits for a model, for several items at once.
    AsksModels {
        /// The calls in flight, the oldest first; of many only the first hundred.
        calls: Vec<String>,
        /// How many are in flight.
        #[serde(default)]
        in_flight: usize,
    },
    /// It waits for a function.
    RunsCode {
        /// The call.
        call: String,
    },
    /// It waits for a person.
    AsksPerson {
        /// The call; an answer may name it.
        call: String,
    },
    /// It waits for a time to pass.
    Waits {
        /// How long, from its beginning.
        duration: Duration,
    },
    /// It is over: the result of `run` tells how.
    Ended,
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Waiting {
    /// The call: which question it is. An answer may name it.
    pub call: String,
    /// The task that asks; in a sub-process, the task that runs that.
    pub task: String,
    /// The question, for people.
    pub text: String,
    /// The JSON schema of the answer.
    pub schema: Value,
    /// What was wrong with the last answer, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Issues>,
    /// How long the answer may take, if there is a limit. An answer that is refused does not extend it: the
    /// question that follows has what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// When it was asked, in milliseconds since 1970.
    #[serde(default)]
    pub since: u64,
}

/// An answer to the question of a human task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The question that is meant, by its call. When the run asks another one by now, the answer is
    /// turned away. Without it, whatever is asked is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What is answered.
    pub answer: Value,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Answered {
    /// Whether the run goes on with it. If not, it asks again, or gives up where the task says so.
    pub accepted: bool,
    /// What is wrong with the answer, if it was not accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Issues>,
}

/// A value as the JSON text that is in the journal. It is not taken apart and written anew, so that a
/// map in no order stays in the order that it was written in.
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Written<T> {
    json: Box<RawValue>,
    #[serde(skip)]
    value: PhantomData<fn() -> T>,
}

impl<T> Written<T> {
    pub(crate) fn new(value: &(impl Serialize + ?Sized)) -> serde_json::Result<Self> {
        Ok(Self { json: serde_json::value::to_raw_value(value)?, value: PhantomData })
    }

    /// The JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        self.json.get()
    }
}

impl<T: DeserializeOwned> Written<T> {
    /// The value.
    ///
    /// # Errors
    ///
    /// When the text is of another type.
    pub fn read(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.json())
    }
}

impl<T> Clone for Written<T> {
    fn clone(&self) -> Self {
        Self { json: self.json.clone(), value: PhantomData }
    }
}

impl<T> fmt::Debug for Written<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Written").field(&self.json()).finish()
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
        let doing = Doing::AsksModel { call: "decide#3@1".to_owned() };
        let json = json!({ "kind": "asks_model", "call": "decide#3@1" });
        assert_eq!(serde_json::to_value(doing).unwrap(), json);
    }

    #[test]
    fn what_is_written_stays_as_it_is() {
        let text = r#"{"b": 1,"a":   2.50}"#;
        let written: Written<Value> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&written).unwrap(), text);
        assert_eq!(written.read().unwrap(), json!({ "a": 2.5, "b": 1 }));
    }

    #[test]
    fn a_misspelled_member_is_refused() {
        let start = serde_json::from_str::<Start<u8>>(r#"{"state": 1, "option": {}}"#);
        assert!(start.unwrap_err().to_string().contains("option"));
    }
}
