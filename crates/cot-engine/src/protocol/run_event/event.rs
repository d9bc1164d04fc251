//! Something that happened in a run.

use std::{borrow::Cow, sync::Arc, time::Duration};

use cot_model::{ModelRequest, Usage};
use cot_reader::{PartialOutput, Repair};
use serde::{Deserialize, Serialize};

use crate::{
    process::{tables::TaskIndex, types::ProcessTypes},
    protocol::{
        directive::Question,
        run_event::{any_output::AnyOutput, journaled, route::Route},
    },
    values::outcome::{Attempt, Ending},
};

/// The name of a task.
pub type TaskName = Cow<'static, str>;

/// An event of process `P`, with the types of its tasks and outputs.
pub type ProcessEvent<P> = RunEvent<<P as ProcessTypes>::Task, <P as ProcessTypes>::Output>;

/// An event as the engine emits it.
pub(crate) type IndexEvent = RunEvent<TaskIndex, PendingOutput>;

/// Stands for the output that is being committed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingOutput {
    /// Whether the run needs the output after the event.
    pub(crate) is_kept: bool,
}

/// Something that happened in a run.
///
/// `T` is the type of the tasks, `O` that of the outputs. Streams and observers have events of their
/// [process](ProcessEvent). Where no types are known, as in journals, tasks have names.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunEvent<T = TaskName, O = AnyOutput> {
    /// A task began.
    TaskStarted {
        /// The task.
        task: T,
        /// How many times the run has now come to any task that does something, from 1.
        step: u64,
    },
    /// A prompt is about to be sent.
    #[serde(skip)]
    Prompt {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// What is asked.
        request: Arc<ModelRequest>,
    },
    /// A piece of a reply that is still being written. Only the driver knows of these.
    #[serde(skip)]
    Delta {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The piece; `None` when the engine starts over, and what came before is void.
        text: Option<Arc<str>>,
    },
    /// The output of a reply that is still being written, as far as it has come: all of it, not what is new.
    /// Only the driver knows of these.
    #[serde(skip)]
    Partial {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// What the reply says so far; `None` when what was told before is void, as the engine starts over or
        /// the reply turns out to be no output.
        partial: Option<PartialOutput>,
    },
    /// A reply had to be mended before it could be read.
    Repaired {
        /// The task.
        task: T,
        /// The number of the item, in a for-each task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// What was mended; how the reply fared follows as an event of its own.
        repairs: Vec<Repair>,
    },
    /// An attempt did not succeed.
    AttemptFailed {
        /// The task.
        task: T,
        /// The attempt: the reply, and what is wrong with it. Journals keep the reply elsewhere.
        #[serde(flatten, with = "journaled")]
        attempt: Attempt,
        /// Whether the task tries again.
        will_retry: bool,
    },
    /// A valid output came for an item of a for-each task.
    ItemDone {
        /// The task.
        task: T,
        /// The number of the item, from 0.
        item: usize,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// The run waits for a person's answer.
    #[serde(skip)]
    Asked {
        /// The task.
        task: T,
        /// What is asked.
        question: Arc<Question>,
    },
    /// The run waits for a time to pass.
    #[serde(skip)]
    Waiting {
        /// The task that starts then.
        task: T,
        /// How long.
        duration: Duration,
    },
    /// An output was accepted and written into the state.
    Committed {
        /// The task.
        task: T,
        /// The output. Journals do not keep it.
        #[serde(skip)]
        output: O,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// A model chose where to go.
    Transitioned {
        /// The task that chose.
        task: T,
        /// Where it goes.
        go_to: T,
        /// What the model means to do.
        intent: String,
        /// What the model means to do after that.
        step_after: String,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// The run leaves a task, whatever became of it. Gateways are left too.
    TaskFinished {
        /// The task.
        task: T,
        /// Where the run goes; `None` when it ends here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<T>,
        /// Why it goes there.
        route: Route,
    },
    /// Something happened in a process that a task runs.
    Nested {
        /// The task that runs the process.
        task: T,
        /// Name of the process.
        process: Cow<'static, str>,
        /// What happened. [`RunEvent::nested`] gives it its types.
        event: Box<RunEvent>,
    },
    /// The state was changed from outside, before a task.
    #[serde(skip)]
    StateUpdated {
        /// The task that comes next.
        task: T,
    },
    /// The run waits at a task boundary.
    #[serde(skip)]
    Paused,
    /// The run is over.
    #[serde(skip)]
    Finished {
        /// How it ended, and [why](Ending::why) if it came to no good end.
        ending: Ending<T>,
        /// What all its calls consumed.
        usage: Usage,
        /// How long they took together.
        elapsed: Duration,
    },
}
