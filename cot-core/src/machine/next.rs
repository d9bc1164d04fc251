//! What has to be done next, before it gets its types.

use std::{sync::Arc, time::Duration};

use cot_schema::OutputSchema;

use super::{
    CallId, CodeCall, Directive, HumanCall, ModelCall, Question, Timer,
    core::Core,
    directive::Begin,
    key::{Place, VisitKey},
    naming::{task_at, typed_ending},
    phase::{Ask, Visit},
    typed::Typed,
};
use crate::{Process, blueprint::TaskIndex, model::ModelRequest, outcome::Ending};

/// What has to be done next.
pub(super) enum Next {
    Call(Call),
    Calls(Vec<Call>),
    Code(Common, Begin),
    Human(Common, Arc<Question>),
    Wait { id: CallId, task: TaskIndex, duration: Duration, jitter: Duration },
    Finished(Ending<TaskIndex>),
}

/// A model call.
pub(super) struct Call {
    pub(super) common: Common,
    pub(super) item: Option<usize>,
    pub(super) engine: Option<&'static str>,
    pub(super) request: Arc<ModelRequest>,
    pub(super) output: Option<&'static OutputSchema>,
}

/// What calls of every kind have.
pub(super) struct Common {
    pub(super) id: CallId,
    pub(super) task: TaskIndex,
    pub(super) attempt: u32,
    pub(super) timeout: Option<Duration>,
    pub(super) place: Place,
    /// Whether it is an async `check`.
    pub(super) is_check: bool,
}

impl Next {
    /// The same thing, seen from the process whose task runs the process that wants it.
    pub(super) fn within(self, outer: VisitKey, task: TaskIndex) -> Self {
        match self {
            Self::Call(call) => Self::Call(call.within(outer, task)),
            Self::Calls(calls) => {
                Self::Calls(calls.into_iter().map(|call| call.within(outer, task)).collect())
            }
            Self::Code(common, code) => Self::Code(common.within(outer, task), code),
            Self::Human(common, question) => Self::Human(common.within(outer, task), question),
            Self::Wait { id, duration, jitter, .. } => Self::Wait { id, task, duration, jitter },
            Self::Finished(ending) => Self::Finished(ending),
        }
    }

    pub(super) fn into_directive<P: Process>(self) -> Directive<P> {
        match self {
            Self::Call(call) => Directive::CallModel(call.typed()),
            Self::Calls(calls) => {
                Directive::CallModels(calls.into_iter().map(Call::typed).collect())
            }
            Self::Code(Common { id, task, attempt, timeout, place, is_check }, code) => {
                let task = task_at::<P>(task);
                Directive::RunCode(CodeCall { id, task, attempt, timeout, is_check, place, code })
            }
            Self::Human(Common { id, task, attempt, timeout, place, .. }, question) => {
                let task = task_at::<P>(task);
                Directive::AskHuman(HumanCall { id, task, attempt, question, timeout, place })
            }
            Self::Wait { id, task, duration, jitter } => {
                Directive::Wait(Timer { id, task: task_at::<P>(task), duration, jitter })
            }
            Self::Finished(ending) => Directive::Finished(P::outcome(typed_ending::<P>(ending))),
        }
    }
}

impl Call {
    fn within(self, outer: VisitKey, task: TaskIndex) -> Self {
        Self { common: self.common.within(outer, task), ..self }
    }

    fn typed<P: Process>(self) -> ModelCall<P> {
        let Self { common, item, engine, request, output } = self;
        let Common { id, task, attempt, timeout, place, .. } = common;
        let task = task_at::<P>(task);
        ModelCall { id, task, attempt, item, engine, request, timeout, output, place }
    }
}

impl Common {
    /// The call of the check of what the task asks for.
    pub(super) fn of_check(self) -> Self {
        Self { is_check: true, ..self }
    }

    fn within(self, outer: VisitKey, task: TaskIndex) -> Self {
        Self { task, place: self.place.within(outer), ..self }
    }
}

impl Core {
    pub(super) fn visit_key(&self, task: TaskIndex, number: u32, attempt: u32) -> VisitKey {
        let process = self.definition.about.name;
        VisitKey { process, task: self.name(task), number, attempt }
    }

    pub(super) fn common(
        &self,
        visit: &Visit,
        id: CallId,
        attempt: u32,
        timeout: Option<Duration>,
    ) -> Common {
        let place = Place { outer: None, visit: self.visit_key(visit.task, visit.number, 1) };
        Common { id, task: visit.task, attempt, timeout, place, is_check: false }
    }

    pub(super) fn call(
        &self,
        visit: &Visit,
        ask: &Ask,
        request: &Arc<ModelRequest>,
        run: Duration,
        host: &dyn Typed,
    ) -> Call {
        let left = self.time_left(visit.task, ask.tries.spent, run);
        Call {
            common: self.common(visit, ask.id, ask.tries.number(), left.map(|(left, _)| left)),
            item: ask.item,
            engine: self.engines(visit.task).get(ask.engine).copied(),
            request: Arc::clone(request),
            output: host.output_schema(visit.task).filter(|_| !self.reasons(visit.task)),
        }
    }
}
