//! How a task ends.

use crate::{
    process::tables::TaskIndex,
    protocol::{event::Handled, run_event::route::Route},
    run::context::Arrival,
    values::{
        inputs::Inputs,
        outcome::{Attempt, HaltReason},
    },
};

/// How a task ends. The run decides where that leads.
pub(crate) enum TaskEnd {
    /// The time before the task has passed: it starts.
    Waited(Arrival),
    /// The task is done. Without a target the run ends.
    Done(Option<RouteTarget>),
    /// A model chose a transition to this task.
    Transition(RouteTarget),
    /// The task has failed: the run goes where the task says for that, or halts.
    Failed(TaskFailure),
    /// The run halts, whatever the task says.
    Halted(TaskFailure),
}

/// Where a run goes from a task.
pub(crate) struct RouteTarget {
    pub(crate) target: TaskIndex,
    pub(crate) inputs: Option<Inputs>,
    pub(crate) route: Route,
}

/// Why a task failed, with its attempts.
pub(crate) struct TaskFailure {
    pub(crate) reason: HaltReason,
    pub(crate) attempts: Vec<Attempt>,
}

/// What a phase did with an event.
pub(crate) struct PhaseHandled {
    pub(crate) handled: Handled,
    pub(crate) end: Option<TaskEnd>,
}

impl TaskEnd {
    pub(crate) const fn failed(reason: HaltReason, attempts: Vec<Attempt>) -> Self {
        Self::Failed(TaskFailure { reason, attempts })
    }

    pub(crate) const fn halted(reason: HaltReason, attempts: Vec<Attempt>) -> Self {
        Self::Halted(TaskFailure { reason, attempts })
    }
}

impl PhaseHandled {
    /// The event answers a call that the phase does not wait for.
    pub(crate) const STALE: Self = Self { handled: Handled::Stale, end: None };

    /// The event was applied, and ended the task or not.
    pub(crate) const fn applied(end: Option<TaskEnd>) -> Self {
        Self { handled: Handled::Applied, end }
    }
}
