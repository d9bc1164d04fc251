//! What a phase is to the run.

use crate::{
    process::{
        child::{ChildRun, Due},
        host::ProcessHost,
    },
    protocol::{directive::CallId, event::Event},
    run::{
        context::{RunContext, RunFacts, Visit},
        end::{PhaseHandled, TaskEnd},
        phase::ask::Ask,
    },
    snapshot::{
        data::{Delivery, PositionData},
        error::SnapshotError,
    },
    values::outcome::Attempt,
};

/// How a task gets its result. What happens with the result, the run decides.
pub(crate) trait TaskPhase {
    /// Advances until the driver is needed, and lists what it has to do; or ends the task.
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut Due<'_>) -> Option<TaskEnd>;

    /// Applies an event.
    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled;

    /// Returns whether the phase waits for the answer to a directive.
    fn is_pending(&self, id: CallId) -> bool;

    /// Returns how many directives the phase waits for.
    fn pending_calls(&self) -> usize {
        1
    }

    /// Returns whether the phase waits for a person.
    fn waits_for_person(&self) -> bool {
        false
    }

    /// Takes out the attempts that have failed at what is under way.
    fn take_attempts(&mut self) -> Vec<Attempt>;

    /// Returns the process that the task runs.
    fn child(&self) -> Option<&dyn ChildRun> {
        None
    }

    /// Returns the process that the task runs.
    fn child_mut(&mut self) -> Option<&mut (dyn ChildRun + 'static)> {
        None
    }

    /// Returns what is asked now, for a look at its prompt.
    ///
    /// # Errors
    ///
    /// Why nothing is asked.
    fn asked(&self, facts: &RunFacts, visit: &Visit, host: &dyn ProcessHost)
    -> Result<Ask, String>;

    /// Returns the position of the phase as data.
    ///
    /// # Errors
    ///
    /// Why the position can't be data.
    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError>;
}
