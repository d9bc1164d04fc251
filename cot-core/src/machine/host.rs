//! The typed side of a machine, behind an object-safe trait.

use std::{collections::VecDeque, convert::Infallible, fmt, sync::Arc, time::Duration};

use serde_json::Value;

use super::RunEvent;
use crate::{
    About, Attempt, History, Issues, OutputSchema, Process, Scope, TaskId, Usage,
    blueprint::{OutputCode, SchemaCache, TaskCode, TaskIndex, Template},
    model::ModelRequest,
    outcome::{Ending, Halt},
    prompt::PromptWriter,
};

/// What the core asks of the typed side. Every method is a look-up and a call.
pub(crate) trait Typed {
    /// Writes a piece of text; `false` when the declaration has no such piece.
    fn write(
        &self,
        piece: Piece,
        view: &View<'_>,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error>;
    /// Whether the guard of a transition lets it be seen.
    fn is_visible(&self, task: TaskIndex, transition: usize, view: &View<'_>) -> bool;
    /// Whether a `next` arm is taken; it sees the pending output.
    fn takes_arm(&self, task: TaskIndex, arm: usize, view: &View<'_>) -> bool;
    /// The schema of a task's output.
    fn output_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema>;
    /// The reply schemas of the process.
    fn schemas(&self) -> &'static SchemaCache;
    /// Reads a value into the type of the task's output and keeps it as the pending output.
    fn read(&mut self, task: TaskIndex, value: Value) -> Result<(), Issues>;
    /// The pending output as JSON.
    fn output_json(&self, task: TaskIndex) -> serde_json::Result<String>;
    /// Writes the pending output into the state; what `process_output` chose.
    fn commit(&mut self, task: TaskIndex, goal: &str) -> Result<Option<TaskIndex>, Issues>;
    /// The state's mirror of the history.
    fn mirror(&mut self) -> Option<&mut History>;
    /// Takes note of what happened, if anybody wants to know.
    fn notify(&mut self, notice: Notice<'_>);
    /// Forgets the pending output.
    fn forget_output(&mut self);
}

/// A text of the declaration.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece {
    Goal,
    Intro,
    System,
    GoalPrimer,
    HistoryPrimer,
    ErrorsPrimer(TaskIndex),
    TransitionsPrimer,
    OutputPrimer,
    Prompt(TaskIndex),
    FullPrompt(TaskIndex),
    Fail(TaskIndex),
    Label(TaskIndex, usize),
}

/// What templates and guards see besides the state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) goal: &'a str,
    pub(crate) task: &'static About,
    pub(crate) process: &'static About,
    pub(crate) history: &'a History,
}

/// What happened, before it gets its types.
pub(crate) enum Notice<'a> {
    Started {
        task: TaskIndex,
        step: u64,
    },
    Prompt {
        task: TaskIndex,
        attempt: u32,
        request: &'a Arc<ModelRequest>,
    },
    Failed {
        task: TaskIndex,
        attempt: &'a Attempt,
        will_retry: bool,
    },
    /// The pending output was written into the state; nobody needs it any more.
    Committed {
        task: TaskIndex,
        usage: Usage,
        elapsed: Duration,
    },
    Transitioned {
        task: TaskIndex,
        go_to: TaskIndex,
        intent: String,
        step_after: String,
        usage: Usage,
        elapsed: Duration,
    },
    Finished {
        ending: &'a Ending<TaskIndex>,
        usage: Usage,
        elapsed: Duration,
    },
}

/// The typed side of one run.
pub(super) struct Host<P: Process> {
    pub(super) state: P::State,
    /// The output that is about to be written into the state.
    pending: Option<P::Output>,
    events: VecDeque<RunEvent<P>>,
    is_recording: bool,
}

/// How many events are kept for a driver that does not fetch them.
const MAX_EVENTS: usize = 256;

impl<P: Process> Host<P> {
    pub(super) const fn new(state: P::State, is_recording: bool) -> Self {
        Self { state, pending: None, events: VecDeque::new(), is_recording }
    }

    pub(super) fn record(&mut self, on: bool) {
        self.is_recording = on;
        if !on {
            self.events = VecDeque::new();
        }
    }

    pub(super) fn drain_events(&mut self) -> impl Iterator<Item = RunEvent<P>> + '_ {
        self.events.drain(..)
    }

    fn scope<'a>(&'a self, view: &View<'a>) -> Scope<'a, P> {
        Scope {
            state: &self.state,
            goal: view.goal,
            task: view.task,
            process: view.process,
            history: view.history,
        }
    }
}

impl<P: Process> Typed for Host<P> {
    fn write(
        &self,
        piece: Piece,
        view: &View<'_>,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error> {
        match template::<P>(piece) {
            Some(template) => template(&self.scope(view), writer).map(|()| true),
            None => Ok(false),
        }
    }

    fn is_visible(&self, task: TaskIndex, transition: usize, view: &View<'_>) -> bool {
        let code = task_code::<P>(task).and_then(|code| code.transitions.get(transition));
        code.and_then(|code| code.guard).is_none_or(|guard| guard(&self.scope(view)))
    }

    fn takes_arm(&self, task: TaskIndex, arm: usize, view: &View<'_>) -> bool {
        let guard = task_code::<P>(task).and_then(|code| *code.next.get(arm)?);
        guard.is_none_or(|guard| guard(&self.scope(view), self.pending.as_ref()))
    }

    fn output_schema(&self, task: TaskIndex) -> Option<&'static OutputSchema> {
        output_schema::<P>(task)
    }

    fn schemas(&self) -> &'static SchemaCache {
        P::schemas()
    }

    fn read(&mut self, task: TaskIndex, value: Value) -> Result<(), Issues> {
        if let Some(code) = output_code::<P>(task) {
            self.pending = Some((code.read)(value, &self.state)?);
        }
        Ok(())
    }

    fn output_json(&self, task: TaskIndex) -> serde_json::Result<String> {
        match (output_code::<P>(task), &self.pending) {
            (Some(code), Some(output)) => (code.to_json)(output),
            _ => Ok("null".to_owned()),
        }
    }

    fn commit(&mut self, task: TaskIndex, goal: &str) -> Result<Option<TaskIndex>, Issues> {
        match (output_code::<P>(task), &self.pending) {
            (Some(code), Some(output)) => (code.commit)(output, &mut self.state, goal),
            _ => Ok(None),
        }
    }

    fn mirror(&mut self) -> Option<&mut History> {
        P::CODE.mirror.map(|mirror| mirror(&mut self.state))
    }

    fn notify(&mut self, notice: Notice<'_>) {
        if !self.is_recording {
            return;
        }
        let Some(event) = typed_event::<P>(notice, &mut self.pending) else {
            return;
        };
        if self.events.len() >= MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    fn forget_output(&mut self) {
        self.pending = None;
    }
}

/// The task at an index that the macro made, or that a snapshot check has accepted.
pub(super) fn task_at<P: Process>(index: TaskIndex) -> P::Task {
    P::Task::ALL[index]
}

pub(super) fn typed_ending<P: Process>(ending: Ending<TaskIndex>) -> Ending<P::Task> {
    let Ok(typed) = map_ending(ending, |task| Ok::<_, Infallible>(task_at::<P>(task)));
    typed
}

/// The same ending with its task named in another way.
pub(super) fn map_ending<A, B, E>(
    ending: Ending<A>,
    name: impl FnOnce(A) -> Result<B, E>,
) -> Result<Ending<B>, E> {
    Ok(match ending {
        Ending::End(task) => Ending::End(name(task)?),
        Ending::Fail(task, why) => Ending::Fail(name(task)?, why),
        Ending::RanOut(task) => Ending::RanOut(name(task)?),
        Ending::Halted(Halt { task, reason, attempts }) => {
            Ending::Halted(Halt { task: name(task)?, reason, attempts })
        }
    })
}

fn typed_event<P: Process>(
    notice: Notice<'_>,
    pending: &mut Option<P::Output>,
) -> Option<RunEvent<P>> {
    let at = task_at::<P>;
    Some(match notice {
        Notice::Started { task, step } => RunEvent::TaskStarted { task: at(task), step },
        Notice::Prompt { task, attempt, request } => {
            RunEvent::Prompt { task: at(task), attempt, request: Arc::clone(request) }
        }
        Notice::Failed { task, attempt, will_retry } => {
            RunEvent::AttemptFailed { task: at(task), attempt: attempt.clone(), will_retry }
        }
        Notice::Committed { task, usage, elapsed } => {
            RunEvent::Committed { task: at(task), output: pending.take()?, usage, elapsed }
        }
        Notice::Transitioned { task, go_to, intent, step_after, usage, elapsed } => {
            let (task, go_to) = (at(task), at(go_to));
            RunEvent::Transitioned { task, go_to, intent, step_after, usage, elapsed }
        }
        Notice::Finished { ending, usage, elapsed } => {
            let outcome = P::outcome(typed_ending::<P>(ending.clone()));
            RunEvent::Finished { outcome, usage, elapsed }
        }
    })
}

fn template<P: Process>(piece: Piece) -> Option<Template<P>> {
    let code = P::CODE;
    match piece {
        Piece::Goal => code.goal,
        Piece::Intro => code.intro,
        Piece::System => code.system,
        Piece::GoalPrimer => code.primers.goal,
        Piece::HistoryPrimer => code.primers.history,
        Piece::ErrorsPrimer(task) => task_code::<P>(task)?.errors_primer.or(code.primers.errors),
        Piece::TransitionsPrimer => code.primers.transitions,
        Piece::OutputPrimer => code.primers.output,
        Piece::Prompt(task) => task_code::<P>(task)?.prompt,
        Piece::FullPrompt(task) => task_code::<P>(task)?.full_prompt,
        Piece::Fail(task) => task_code::<P>(task)?.fail,
        Piece::Label(task, index) => task_code::<P>(task)?.transitions.get(index)?.label,
    }
}

/// The schema of a task's output.
pub(super) fn output_schema<P: Process>(task: TaskIndex) -> Option<&'static OutputSchema> {
    output_code::<P>(task).map(|code| (code.schema)())
}

fn task_code<P: Process>(task: TaskIndex) -> Option<&'static TaskCode<P>> {
    P::CODE.tasks.get(task)
}

fn output_code<P: Process>(task: TaskIndex) -> Option<&'static OutputCode<P>> {
    task_code::<P>(task)?.output.as_ref()
}
