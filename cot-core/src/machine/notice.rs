//! What happened inside a run, for those who watch it.

use std::{any::Any, fmt, sync::Arc, time::Duration};

use cot_model::{ModelRequest, Usage};
use cot_reader::{PartialOutput, Repair};

use super::directive::Question;
use crate::{Attempt, Process, store::Note};

/// Something that happened in a run.
#[non_exhaustive]
pub enum RunEvent<P: Process> {
    /// A task began.
    TaskStarted {
        /// The task.
        task: P::Task,
        /// How many times the run has now come to any task that does something, from 1.
        step: u64,
    },
    /// A prompt is about to be sent.
    Prompt {
        /// The task.
        task: P::Task,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// What is asked.
        request: Arc<ModelRequest>,
    },
    /// A piece of a reply that is still being written. Only the driver knows of these.
    Delta {
        /// The task.
        task: P::Task,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// The piece; `None` when the engine starts over, and what came before is void.
        text: Option<Arc<str>>,
    },
    /// The output of a reply that is still being written, as far as it has come: all of it, not what is new.
    /// Only the driver knows of these.
    Partial {
        /// The task.
        task: P::Task,
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
        task: P::Task,
        /// The number of the item, in a for-each task.
        item: Option<usize>,
        /// The attempt, from 1.
        attempt: u32,
        /// What was mended; how the reply fared follows as an event of its own.
        repairs: Vec<Repair>,
    },
    /// An attempt did not succeed.
    AttemptFailed {
        /// The task.
        task: P::Task,
        /// What was said and what is wrong with it.
        attempt: Attempt,
        /// Whether the task tries again.
        will_retry: bool,
    },
    /// A valid output came for an item of a for-each task.
    ItemDone {
        /// The task.
        task: P::Task,
        /// The number of the item, from 0.
        item: usize,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// The run waits for a person's answer.
    Asked {
        /// The task.
        task: P::Task,
        /// What is asked.
        question: Arc<Question>,
    },
    /// The run waits for a time to pass.
    Waiting {
        /// The task that starts then.
        task: P::Task,
        /// How long.
        duration: Duration,
    },
    /// An output was accepted and written into the state.
    Committed {
        /// The task.
        task: P::Task,
        /// The output.
        output: P::Output,
        /// What the accepted attempt consumed.
        usage: Usage,
        /// How long it took.
        elapsed: Duration,
    },
    /// A model chose where to go.
    Transitioned {
        /// The task that chose.
        task: P::Task,
        /// Where it goes.
        go_to: P::Task,
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
        task: P::Task,
        /// Where the run goes; `None` when it ends here.
        next: Option<P::Task>,
        /// Why it goes there.
        route: Route,
    },
    /// Something happened in a process that a task runs.
    Nested {
        /// The task that runs the process.
        task: P::Task,
        /// What happened.
        event: NestedEvent,
    },
    /// The state was changed from outside, before a task.
    StateUpdated {
        /// The task that comes next.
        task: P::Task,
    },
    /// The run waits at a task boundary.
    Paused,
    /// The run is over.
    Finished {
        /// How it ended.
        outcome: P::Outcome,
        /// Why it came to no good end: what the `fail` task says, or what halted the run and where.
        why: Option<Arc<str>>,
        /// What all its calls consumed.
        usage: Usage,
        /// How long they took together.
        elapsed: Duration,
    },
}

/// Why a run goes from one task to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Route {
    /// The model chose a transition.
    Transition,
    /// `process_output` chose.
    Choice,
    /// An arm of `next`, by its number from 0.
    Next(usize),
    /// The sequence goes on.
    Sequence,
    /// `default_return`.
    DefaultReturn,
    /// Back to the calling task; where there is none, the run ends.
    Return,
    /// A route of `on`, by its name.
    On(&'static str),
    /// Nowhere: the run ends here, at a terminal or because it can't go on.
    End,
}

impl Route {
    /// The route in a word: `transition`, `choice`, `next`, `sequence`, `default_return`, `return`, `end`, or the
    /// name of a route of `on`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Transition => "transition",
            Self::Choice => "choice",
            Self::Next(_) => "next",
            Self::Sequence => "sequence",
            Self::DefaultReturn => "default_return",
            Self::Return => "return",
            Self::On(name) => name,
            Self::End => "end",
        }
    }
}

/// Something that happened in a process that a task runs.
#[derive(Clone)]
pub struct NestedEvent {
    process: &'static str,
    event: Arc<dyn AnyEvent>,
}

trait AnyEvent: Any + fmt::Debug + Send + Sync {
    /// The event without its types.
    fn note(&self) -> Option<Note>;
}

impl<P: Process> AnyEvent for RunEvent<P> {
    fn note(&self) -> Option<Note> {
        Note::of(self)
    }
}

impl NestedEvent {
    pub(super) fn new<P: Process>(event: RunEvent<P>) -> Self {
        Self { process: P::DEFINITION.about.name, event: Arc::new(event) }
    }

    /// Name of the process in which it happened.
    #[must_use]
    pub const fn process(&self) -> &'static str {
        self.process
    }

    /// The event, if it is one of process `P`.
    #[must_use]
    pub fn get<P: Process>(&self) -> Option<&RunEvent<P>> {
        let event: &dyn Any = &*self.event;
        event.downcast_ref()
    }

    /// The event without its types, if it is one that journals keep.
    pub(crate) fn note(&self) -> Option<Note> {
        self.event.note()
    }
}

impl fmt::Debug for NestedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::", self.process)?;
        self.event.fmt(f)
    }
}
