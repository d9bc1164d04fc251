//! The directives of a run.

use std::{sync::Arc, time::Duration};

use cot_model::ModelRequest;

use super::{
    Action, CallId, Directive, ModelCall,
    core::Core,
    key::{CallKey, VisitKey},
    phase::{Ask, Phase, Visit},
    typed::Typed,
};
use crate::{blueprint::TaskIndex, outcome::Ending};

/// Where a run stands once it can't advance without its driver.
pub(super) enum Advanced {
    /// It waits for its directives.
    Waiting,
    /// It is over.
    Finished(Ending<TaskIndex>),
}

impl Directive {
    /// The same directive, seen from the process whose task runs the process that it is of.
    pub(super) fn nest(&mut self, task: TaskIndex, outer: VisitKey) {
        self.task = task;
        self.key.nest(outer);
    }
}

impl Core {
    pub(super) fn visit_key(&self, task: TaskIndex, number: u32, attempt: u32) -> VisitKey {
        VisitKey { task: self.name(task).into(), number, attempt }
    }

    pub(super) fn directive(
        &self,
        visit: &Visit,
        (id, attempt): (CallId, u32),
        timeout: Option<Duration>,
        action: Action,
    ) -> Directive {
        let key = CallKey::new(self.visit_key(visit.task, visit.number, attempt));
        Directive { id, task: visit.task, key, timeout, action }
    }

    /// The timer before a task.
    pub(super) fn timer(&self, task: TaskIndex, id: CallId) -> Directive {
        let number = self.visits[task].saturating_add(1);
        let key = CallKey::new(self.visit_key(task, number, 1));
        let duration = self.definition.task(task).wait.unwrap_or_default();
        let action = Action::Sleep { duration, jitter: Duration::ZERO };
        Directive { id, task, key, timeout: None, action }
    }

    pub(super) fn model_call(
        &self,
        visit: &Visit,
        ask: &Ask,
        request: &Arc<ModelRequest>,
        run: Duration,
        host: &dyn Typed,
    ) -> Directive {
        let left = self.time_left(visit.task, ask.tries.spent, run).map(|(left, _)| left);
        let action = Action::CallModel(ModelCall {
            engine: self.engines(visit.task).get(ask.engine).copied(),
            request: Arc::clone(request),
            output: host.output_schema(visit.task).filter(|_| !self.reasons(visit.task)),
        });
        let mut directive = self.directive(visit, (ask.id, ask.tries.number()), left, action);
        directive.key.item = ask.item;
        directive
    }

    /// Returns whether the run, or the process that its task runs, waits for the answer to a directive.
    pub(super) fn is_pending(&self, id: CallId) -> bool {
        match &self.phase {
            Phase::Each(each) => each.ask(id).is_some(),
            Phase::Within { child, .. } => {
                child.core.as_ref().is_some_and(|core| core.is_pending(id))
            }
            Phase::Calling { ask, .. } => ask.id == id,
            Phase::Waiting { id: own, .. }
            | Phase::Running { id: own, .. }
            | Phase::Asking { id: own, .. } => *own == id,
            Phase::At(_) | Phase::Finished { .. } | Phase::Taken { .. } => false,
        }
    }

    /// Returns the number of directives that the run, or the process that its task runs, waits for.
    pub(super) fn pending_calls(&self) -> usize {
        match &self.phase {
            Phase::Each(each) => each.asks.len(),
            Phase::Within { child, .. } => child.core.as_ref().map_or(0, Self::pending_calls),
            Phase::At(_) | Phase::Finished { .. } | Phase::Taken { .. } => 0,
            _ => 1,
        }
    }
}
