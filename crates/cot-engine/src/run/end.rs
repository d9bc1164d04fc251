//! Results of phases.

use crate::{
    process::tables::TaskIndex,
    protocol::{event::EventOutcome, run_event::route::Route},
    run::context::Arrival,
    values::{
        inputs::Inputs,
        outcome::{Attempt, HaltReason},
    },
};

/// How a task ended. The run decides what follows.
pub(crate) enum TaskEnd {
    /// The `wait` before the task is over: the task starts.
    Waited(Arrival),
    /// The task succeeded. Without a target the run ends.
    Done(Option<RouteTarget>),
    /// A model chose a transition.
    Transition(RouteTarget),
    /// The task failed: the run follows a route of `on`, or halts.
    Failed(TaskFailure),
    /// The run halts, without regard to the routes of `on`.
    Halted(TaskFailure),
}

/// The next task, its inputs, and the reason.
pub(crate) struct RouteTarget {
    pub(crate) target: TaskIndex,
    pub(crate) inputs: Option<Inputs>,
    pub(crate) route: Route,
}

/// The reason for which a task failed, and its failed attempts.
pub(crate) struct TaskFailure {
    pub(crate) reason: HaltReason,
    pub(crate) attempts: Vec<Attempt>,
}

/// The result of handling an event in a phase.
pub(crate) struct PhaseHandled {
    pub(crate) handled: EventOutcome,
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
    pub(crate) const STALE: Self = Self { handled: EventOutcome::Stale, end: None };

    /// The event was applied. `end` is set if it ended the task.
    pub(crate) const fn applied(end: Option<TaskEnd>) -> Self {
        Self { handled: EventOutcome::Applied, end }
    }
}
