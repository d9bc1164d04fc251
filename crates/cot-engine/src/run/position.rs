//! The position of a run or of a branch.

use crate::{
    process::{
        child::{ChildRun, Totals},
        tables::TaskIndex,
    },
    run::{
        context::{Arrival, RunFacts, Visit},
        phase::phase::Phase,
    },
    values::{
        inputs::Inputs,
        outcome::Ending,
        panicked::{Panic, PanicPlace},
    },
};

/// The position of a run, or of one of its branches.
#[derive(Debug)]
pub(crate) enum Position {
    /// A task is about to start.
    BetweenTasks(Arrival),
    /// A task waits for its result.
    InTask { visit: Visit, phase: Phase },
    /// The run is over.
    Finished(Ending<TaskIndex>),
    /// The position was moved out while a task starts or ends. It stays only if code of the process panics
    /// meanwhile, which halts the run.
    Taken(TaskIndex),
}

impl Position {
    pub(crate) const fn ending(&self) -> Option<&Ending<TaskIndex>> {
        match self {
            Self::Finished(ending) => Some(ending),
            _ => None,
        }
    }

    /// Returns the task at which the run is or has ended.
    pub(crate) fn task(&self) -> TaskIndex {
        match self {
            Self::BetweenTasks(arrival) => arrival.task,
            Self::InTask { visit, .. } => visit.task,
            Self::Finished(ending) => ending.task(),
            Self::Taken(task) => *task,
        }
    }

    /// Returns the inputs of the current task.
    pub(crate) const fn inputs(&self) -> Option<&Inputs> {
        match self {
            Self::BetweenTasks(arrival) => arrival.inputs.as_ref(),
            Self::InTask { visit, .. } => visit.inputs.as_ref(),
            Self::Finished(_) | Self::Taken(_) => None,
        }
    }

    /// Returns the phase of the current task.
    pub(crate) const fn phase(&self) -> Option<&Phase> {
        match self {
            Self::InTask { phase, .. } => Some(phase),
            _ => None,
        }
    }

    pub(crate) const fn phase_mut(&mut self) -> Option<&mut Phase> {
        match self {
            Self::InTask { phase, .. } => Some(phase),
            _ => None,
        }
    }

    /// Returns the sub-process of the current task.
    pub(crate) fn child(&self) -> Option<&dyn ChildRun> {
        self.phase()?.as_dyn().child()
    }

    /// Returns what the current task has consumed beyond the facts of the run.
    pub(crate) fn unsettled(&self, facts: &RunFacts) -> Totals {
        self.phase().map(|phase| phase.as_dyn().unsettled(facts)).unwrap_or_default()
    }

    /// Returns the report of a panic that was just caught, located in the innermost process whose code was
    /// running.
    pub(crate) fn panic_report(&self, facts: &RunFacts, message: &str, place: PanicPlace) -> Panic {
        match self.phase().and_then(|phase| phase.as_dyn().running_child()) {
            Some(child) => child.panic_report(message),
            None => {
                let task = facts.name(self.task());
                Panic::new(facts.definition.about.name, task, place, message)
            }
        }
    }
}

impl RunFacts {
    /// Returns the consumption of a run at this position, including what runs within its current task.
    pub(crate) fn totals(&self, position: &Position) -> Totals {
        let Self { usage, steps, elapsed, last_call, .. } = *self;
        let inner = position.unsettled(self);
        Totals {
            usage: usage + inner.usage,
            steps: steps.saturating_add(inner.steps),
            elapsed: elapsed.saturating_add(inner.elapsed),
            last_call,
            acted: self.once.acted,
        }
    }
}
