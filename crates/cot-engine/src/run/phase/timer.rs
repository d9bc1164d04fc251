//! The phase that waits before a task starts.

use std::time::Duration;

use crate::{
    process::child::DueDirectives,
    protocol::{
        directive::{Action, CallId},
        event::Event,
        open_calls::OpenCalls,
    },
    run::{
        context::{Arrival, RunContext, RunView, Visit},
        end::{PhaseHandled, TaskEnd},
        phase::{question::ModelQuestion, task_phase::TaskPhase},
    },
    snapshot::{
        data::{Delivery, PositionData},
        error::SnapshotError,
    },
    values::outcome::Attempt,
};

/// Waits before a task starts. The visit is the one that follows.
#[derive(Debug)]
pub(crate) struct TimerPhase {
    pub(crate) id: CallId,
}

impl TaskPhase for TimerPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        let duration = cx.facts.definition.task(cx.visit.task).wait.unwrap_or_default();
        let action = Action::Sleep { duration, jitter: Duration::ZERO };
        due.push(cx.directive((self.id, 1), None, action));
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        match event {
            Event::Woken { id } if id == self.id => {
                let Visit { task, inputs, key, .. } = cx.visit.clone();
                let arrival = Arrival { has_waited: true, key, ..Arrival::new(task, inputs) };
                PhaseHandled::applied(Some(TaskEnd::Waited(arrival)))
            }
            _ => PhaseHandled::STALE,
        }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        &self.id
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        Vec::new()
    }

    fn current_question(&self, view: RunView<'_>) -> Result<ModelQuestion, String> {
        ModelQuestion::preview(view)
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        Ok(PositionData::Waiting { arrival: visit, call: self.id })
    }
}
