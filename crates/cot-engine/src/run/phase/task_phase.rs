//! The interface between a run and the phase of its task.

use std::fmt;

use crate::{
    process::{
        child::{ChildRun, DueDirectives, Totals},
        host::ProcessHost,
    },
    protocol::{event::Event, open_calls::OpenCalls},
    run::{
        context::{RunContext, RunFacts, RunView, Visit},
        end::{PhaseHandled, TaskEnd},
        phase::question::ModelQuestion,
    },
    snapshot::{
        data::{Delivery, PositionData},
        error::SnapshotError,
    },
    values::outcome::Attempt,
};

/// A phase: it produces the result of a task, and the run applies it.
pub(crate) trait TaskPhase: fmt::Debug {
    /// Advances the phase until it needs the driver, and adds the directives that should be in flight to
    /// `due`. Returns the end of the task once it is known.
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd>;

    /// Applies an event to the phase.
    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled;

    /// Returns the calls that the phase waits for.
    fn open_calls(&self) -> &dyn OpenCalls;

    /// Returns what the phase has consumed beyond the facts of the run.
    fn unsettled(&self, _: &RunFacts) -> Totals {
        self.child().map(ChildRun::totals).unwrap_or_default()
    }

    /// Takes the failed attempts of the current visit.
    fn take_attempts(&mut self) -> Vec<Attempt>;

    /// Returns the sub-process of the task, if it runs exactly one.
    fn child(&self) -> Option<&dyn ChildRun> {
        None
    }

    /// Returns the sub-process whose code was running when it panicked.
    fn running_child(&self) -> Option<&dyn ChildRun> {
        self.child()
    }

    /// Returns the question of a branch, to inspect its prompt, with its visit; `None` if no branch has one.
    fn branch_question(&self, _: &RunFacts, _: &dyn ProcessHost) -> Option<(Visit, ModelQuestion)> {
        None
    }

    /// Switches the recording of events on or off in the sub-processes of the task.
    fn record_children(&mut self, _on: bool) {}

    /// Returns the current question, to inspect its prompt.
    ///
    /// # Errors
    ///
    /// If the phase has no question, in words.
    fn current_question(&self, view: RunView<'_>) -> Result<ModelQuestion, String>;

    /// Returns the phase as snapshot data.
    ///
    /// # Errors
    ///
    /// If the state or inputs of a sub-process do not serialize.
    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError>;
}
