//! The untyped state machine of one run.

use std::fmt;

use crate::{
    process::{
        child::{ChildRun, DueDirectives, Totals},
        host::ProcessHost,
        tables::TaskIndex,
    },
    protocol::{
        event::{Event, EventOutcome},
        open_calls::{NoCalls, OpenCalls},
    },
    run::{
        context::RunFacts,
        phase::phase::Phase,
        position::Position,
        track::{Progress, Track},
    },
    values::{
        outcome::Ending,
        panicked::{Panic, PanicPlace},
    },
};

/// One run of a process, without its types.
pub(crate) struct Run {
    pub(crate) facts: RunFacts,
    pub(crate) position: Position,
}

/// Polls and events.
impl Run {
    fn track(&mut self) -> Track<'_> {
        Track { facts: &mut self.facts, position: &mut self.position, join: None }
    }

    /// Advances the run until it needs the driver, and adds the directives that should be in flight to `due`.
    /// Returns the ending once the run is over. A panic halts the run.
    pub(crate) fn poll(
        &mut self,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    ) -> Option<Ending<TaskIndex>> {
        match self.track().poll(host, due) {
            Progress::Over => self.ending().cloned(),
            Progress::Waiting | Progress::Joined => None,
        }
    }

    /// Applies an event. A panic halts the run.
    pub(crate) fn handle(&mut self, event: Event, host: &mut dyn ProcessHost) -> EventOutcome {
        self.track().handle(event, host)
    }

    /// Like [`poll`](Self::poll), but does not catch panics.
    pub(crate) fn advance(
        &mut self,
        host: &mut dyn ProcessHost,
        due: &mut DueDirectives<'_>,
    ) -> Option<Ending<TaskIndex>> {
        match self.track().advance(host, due) {
            Progress::Over => self.ending().cloned(),
            Progress::Waiting | Progress::Joined => None,
        }
    }

    /// Like [`handle`](Self::handle), but does not catch panics.
    pub(crate) fn apply(&mut self, event: Event, host: &mut dyn ProcessHost) -> EventOutcome {
        self.track().apply(event, host)
    }
}

/// Queries about the state of the run.
impl Run {
    pub(crate) const fn ending(&self) -> Option<&Ending<TaskIndex>> {
        self.position.ending()
    }

    /// Returns the task at which the run is or has ended.
    pub(crate) fn task(&self) -> TaskIndex {
        self.position.task()
    }

    /// Returns the phase of the current task.
    pub(crate) fn phase(&self) -> Option<&Phase> {
        self.position.phase()
    }

    /// Returns the sub-process of the current task.
    pub(crate) fn child(&self) -> Option<&dyn ChildRun> {
        self.position.child()
    }

    /// Switches the recording of events on or off in the sub-processes of the current task.
    pub(crate) fn record_children(&mut self, on: bool) {
        if let Some(phase) = self.position.phase_mut() {
            phase.as_dyn_mut().record_children(on);
        }
    }

    /// Returns whether the run is between two tasks, in its sub-process too if it runs one.
    pub(crate) fn is_at_boundary(&self) -> bool {
        matches!(self.position, Position::BetweenTasks(_))
            || self.child().is_some_and(ChildRun::is_at_boundary)
    }

    /// Returns the calls that the run waits for.
    pub(crate) fn open_calls(&self) -> &dyn OpenCalls {
        self.phase().map_or(&NoCalls, |phase| phase.as_dyn().open_calls())
    }

    /// Returns the consumption of the run, including what runs within its current task.
    pub(crate) fn totals(&self) -> Totals {
        self.facts.totals(&self.position)
    }

    /// Returns the report of a panic that was just caught, located in the innermost process whose code was
    /// running.
    pub(crate) fn panic_report(&self, message: &str, place: PanicPlace) -> Panic {
        self.position.panic_report(&self.facts, message, place)
    }
}

impl fmt::Debug for Run {
    /// Shows the position only, since prompts and states are long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { usage, steps, .. } = self.totals();
        let position = match &self.position {
            Position::BetweenTasks(_) => "between tasks",
            Position::InTask { .. } => "in a task",
            Position::Finished(Ending::Halted(_)) => "halted",
            Position::Finished(_) => "finished",
            Position::Taken(_) => "taken",
        };
        f.debug_struct("Run")
            .field("position", &position)
            .field("task", &self.facts.name(self.task()))
            .field("steps", &steps)
            .field("usage", &usage)
            .finish_non_exhaustive()
    }
}
