//! The events of a run.

use std::{borrow::Cow, sync::Arc, time::Duration};

use cot_model::{ModelRequest, Usage};
use cot_reader::{PartialOutput, Passage, Repair};
use serde::{Deserialize, Serialize};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    process::{tables::TaskIndex, types::ProcessTypes},
    protocol::{
        directive::Question,
        run_event::{any_output::AnyOutput, journaled_attempt, route::Route},
    },
    values::outcome::{Attempt, Ending},
};

/// The name of a task, where its type is not known.
pub type TaskName = Cow<'static, str>;

/// An event of process `P`, with its types of tasks and outputs.
pub type ProcessEvent<P> = RunEvent<<P as ProcessTypes>::Task, <P as ProcessTypes>::Output>;

/// An event as the engine emits it.
pub type IndexEvent = RunEvent<TaskIndex, PendingOutput>;

/// A placeholder for the output that is being committed.
#[derive(Debug, Clone)]
pub struct PendingOutput {
    /// Whether the run still needs the output after the event. Otherwise the event takes the output.
    pub(crate) is_kept: bool,
    pub(crate) json: Box<RawValue>,
}

impl PendingOutput {
    /// Creates the output of a for-each task with one item.
    pub(crate) fn from_item(item: &Value) -> Self {
        // A value is written as JSON without an error.
        let json = to_raw_value(&[item]).unwrap_or_default();
        Self { is_kept: false, json }
    }
}

/// How a branch of a parallel task ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BranchOutcome {
    /// The branch reached the join.
    Joined,
    /// The branch failed, for this reason.
    Failed(String),
    /// The branch was cancelled, since another one has decided the result of the task.
    Cancelled,
}

/// An event of a run.
///
/// `T` is the type of the tasks, `O` the type of the outputs. Streams and observers receive the
/// [`ProcessEvent`] of their process. Where types are not known, as in journals, tasks are names.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunEvent<T = TaskName, O = AnyOutput> {
    /// A task started.
    TaskStarted {
        /// The task.
        task: T,
        /// The number of started tasks in the run, including this one.
        step: u64,
        /// The number of the visit of the task in its process, from 1, as in the keys of its calls.
        visit: u32,
    },
    /// The run has made 80 % of the steps that it may make by default, because its process could run without end and
    /// sets neither `max_steps` nor a `budget`. An answer of a person starts the count from zero.
    #[serde(skip)]
    StepsRunLow {
        /// The task that started.
        task: T,
        /// The number of started tasks in the run.
        steps: u64,
        /// The limit of steps without an answer of a person.
        limit: u64,
    },
    /// A request is about to be sent to a model.
    #[serde(skip)]
    Prompt {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The request.
        request: Arc<ModelRequest>,
    },
    /// The model holds a call back, since a limit of requests or tokens by the minute is reached. Emitted by the
    /// driver only.
    #[serde(skip)]
    RateLimited {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The time that the call waits at least; zero if it waits for other calls first.
        wait: Duration,
    },
    /// A chunk of a reply that is still being received. Emitted by the driver only.
    #[serde(skip)]
    Delta {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The text of the chunk; `None` if the engine starts over, which voids the earlier chunks.
        text: Option<Arc<str>>,
    },
    /// A chunk of the thoughts of a reasoning model, which are not part of the reply. Emitted by the driver
    /// only.
    #[serde(skip)]
    Thought {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The text of the chunk.
        text: Arc<str>,
    },
    /// The partial output of a reply that is still being received: all of it, not the difference. Emitted by
    /// the driver only.
    #[serde(skip)]
    Partial {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The output so far; `None` voids the earlier ones, since the engine starts over or the reply turns
        /// out to be a transition.
        partial: Option<PartialOutput>,
    },
    /// A reply was read after repairs.
    Repaired {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The repairs. The result of the reply follows as an event of its own.
        repairs: Vec<Repair>,
    },
    /// Values of an output stand in the sources that `found_in` names. The result of the task, or of the item, follows
    /// as an event of its own.
    Found {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<usize>,
        /// The places, in the order of the declaration; the first 1000.
        passages: Vec<Passage>,
    },
    /// A model calls a tool. The call may be refused, which the next event of the call says.
    ToolCalled {
        /// The task.
        task: T,
        /// The number of the call within the visit of the task, from 1.
        call: u32,
        /// The name of the tool, which may be one that the task does not have.
        tool: String,
        /// The arguments as the model wrote them, usually JSON.
        arguments: String,
    },
    /// A tool call was answered.
    ToolReturned {
        /// The task.
        task: T,
        /// The number of the call within the visit of the task, from 1.
        call: u32,
        /// The name of the tool.
        tool: String,
        /// The result as JSON, or the error that the model receives.
        result: Result<String, String>,
        /// The duration of the call.
        elapsed: Duration,
    },
    /// An attempt failed.
    AttemptFailed {
        /// The task.
        task: T,
        /// The attempt, with its reply and issues. Journals store the reply elsewhere.
        #[serde(flatten, with = "journaled_attempt")]
        attempt: Attempt,
        /// Whether the task retries.
        will_retry: bool,
    },
    /// A for-each task starts on its items. A run that is resumed within the task does not emit it again.
    #[serde(skip)]
    ItemsStarted {
        /// The task.
        task: T,
        /// The number of items.
        items: usize,
    },
    /// An item of a for-each task has a valid output.
    ItemDone {
        /// The task.
        task: T,
        /// The number of the item, from 0.
        item: usize,
        /// The output of the task with this item only: a list of one.
        #[serde(skip_deserializing)]
        output: O,
        /// The usage of the accepted attempt.
        usage: Usage,
        /// The duration of the accepted attempt.
        elapsed: Duration,
    },
    /// An item of a for-each task with `collect: ok` has no output.
    ItemFailed {
        /// The task.
        task: T,
        /// The number of the item, from 0.
        item: usize,
        /// The reason in words.
        reason: String,
    },
    /// A branch of a parallel task ended.
    BranchEnded {
        /// The parallel task.
        task: T,
        /// The first task of the branch.
        branch: T,
        /// How the branch ended.
        outcome: BranchOutcome,
    },
    /// The run waits for a person's answer.
    #[serde(skip)]
    Asked {
        /// The task.
        task: T,
        /// The question.
        question: Arc<Question>,
    },
    /// The run waits for a timer.
    #[serde(skip)]
    Waiting {
        /// The task that starts afterwards.
        task: T,
        /// The minimum duration.
        duration: Duration,
    },
    /// An output was accepted and committed to the state.
    Committed {
        /// The task.
        task: T,
        /// The output.
        #[serde(skip_deserializing)]
        output: O,
        /// The usage of the accepted attempt.
        usage: Usage,
        /// The duration of the accepted attempt.
        elapsed: Duration,
    },
    /// A model chose a transition.
    Transitioned {
        /// The task that chose.
        task: T,
        /// The target of the transition.
        go_to: T,
        /// The intent that the model stated.
        intent: String,
        /// The step that the model plans after the target.
        step_after: String,
        /// How many times in a row the task made this choice with this intent, from 1. An answer of a person
        /// starts the count again. Only entries of the history count.
        #[serde(default = "once", skip_serializing_if = "is_once")]
        times: u32,
        /// The usage of the accepted attempt.
        usage: Usage,
        /// The duration of the accepted attempt.
        elapsed: Duration,
    },
    /// The run leaves a task, after success or failure. Also emitted for gateways.
    TaskFinished {
        /// The task.
        task: T,
        /// The next task; `None` if the run ends here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<T>,
        /// The reason for the next task.
        route: Route,
    },
    /// An event of a sub-process.
    Nested {
        /// The task that runs the process.
        task: T,
        /// The number of the item for which the process runs, in a for-each task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<usize>,
        /// The attempt at the process, from 1.
        #[serde(default = "once", skip_serializing_if = "is_once")]
        attempt: u32,
        /// Name of the process.
        process: Cow<'static, str>,
        /// The event. [`RunEvent::nested`] returns it with its types.
        event: Box<RunEvent>,
    },
    /// The state was changed from outside, before a task.
    #[serde(skip)]
    StateUpdated {
        /// The next task.
        task: T,
    },
    /// The run is paused between two tasks.
    #[serde(skip)]
    Paused,
    /// The run is driven no more, and is not over: it was dropped, or it is left in its store until a
    /// person has answered, a timer has expired or another driver continues it. The last event of a driver,
    /// which emits it to observers only.
    #[serde(skip)]
    Detached,
    /// The run is over.
    #[serde(skip)]
    Finished {
        /// How the run ended; see [`Ending::why`] for a failure.
        ending: Ending<T>,
        /// The usage of all calls.
        usage: Usage,
        /// The time of the run.
        elapsed: Duration,
    },
}

const fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_once(times: &u32) -> bool {
    *times == 1
}
