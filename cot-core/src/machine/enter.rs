//! Tasks, from the arrival to what they wait for.

use std::{fmt, time::Duration};

use cot_model::{ModelReply, Usage};
use serde_json::Value;

use super::{
    core::Core,
    phase::{Arrival, Ask, Pause, Phase, Tries, Visit},
    typed::{Notice, Piece, Typed},
};
use crate::{
    HaltReason, Route,
    blueprint::{TaskIndex, TaskKind, TransitionDefinition},
    engine::template::writer::PromptWriter,
    outcome::Ending,
};

/// Gateways in a row: more than anybody counts with.
const MAX_HOPS: usize = 10_000;

impl Core {
    /// Starts a task; after how many hops without anything done in between, tells a loop.
    pub(super) fn enter(&mut self, arrival: Arrival, hops: usize, host: &mut dyn Typed) {
        let task = arrival.task;
        let definition = self.definition.task(task);
        self.delivered.clone_from(&arrival.inputs);
        if hops > MAX_HOPS {
            // The compiler refuses loops of gateways in which nothing can change; inputs can, and for ever.
            let reason = self.budget_used_up().unwrap_or(HaltReason::GatewayLoop);
            return self.halt(task, reason, Vec::new(), host);
        }
        if let (Some(duration), false) = (definition.wait, arrival.has_waited) {
            host.notify(Notice::Waiting { task, duration });
            let id = self.new_call();
            self.phase = Phase::Waiting { arrival, id };
            return;
        }
        if let Some(field) = host.unwritten(task) {
            return self.halt(task, HaltReason::Unwritten(field.to_owned()), Vec::new(), host);
        }
        let number = self.visits[task].saturating_add(1);
        let visit = Visit { task, inputs: arrival.inputs, number };
        match &definition.kind {
            TaskKind::Gateway => self.leave(&visit, None, host),
            TaskKind::End => self.end(Ending::End(task), host),
            TaskKind::Fail => self.fail_process(&visit, host),
            _ => self.begin(visit, host),
        }
    }

    fn begin(&mut self, visit: Visit, host: &mut dyn Typed) {
        let task = visit.task;
        if let Some(reason) = self.limit_reached() {
            return self.halt(task, reason, Vec::new(), host);
        }
        let asks_models =
            !matches!(self.definition.task(task).kind, TaskKind::Code | TaskKind::Human);
        if let Some(reason) = self.budget_used_up().filter(|_| asks_models) {
            return self.fail(task, reason, Vec::new(), host);
        }
        self.visits[task] = visit.number;
        self.steps += 1;
        host.notify(Notice::Started { task, step: self.steps });
        self.work(visit, Tries::default(), host);
    }

    /// Begins what a task does, once more after an attempt that failed.
    pub(super) fn work(&mut self, visit: Visit, tries: Tries, host: &mut dyn Typed) {
        let id = self.new_call();
        match &self.definition.task(visit.task).kind {
            TaskKind::Ai(_) => {
                let ask = self.question(&visit, None, host);
                self.phase = Phase::Calling { visit, ask: Ask { id, tries, ..ask } };
            }
            TaskKind::Each(..) => self.begin_each(visit, host),
            TaskKind::Code => {
                let pause = Pause::None;
                self.phase = Phase::Running { visit, tries, id, code: None, pause };
            }
            TaskKind::Human => self.phase = Phase::Asking { visit, tries, id, waits_for: None },
            TaskKind::Process(_) => self.begin_child(visit, tries, host),
            // These do nothing.
            TaskKind::Gateway | TaskKind::End | TaskKind::Fail => {}
        }
    }

    /// What a task asks a model, with the transitions whose guards hold now.
    pub(super) fn question(&self, visit: &Visit, item: Option<usize>, host: &dyn Typed) -> Ask {
        let view = self.view(visit, item);
        let transitions = self.ai(visit.task).map_or(&[][..], |ai| ai.transitions);
        let mut visible: Vec<usize> = Vec::new();
        for (index, TransitionDefinition { target, .. }) in transitions.iter().enumerate() {
            // Of several to one task, the first is offered whose guard holds.
            let is_offered = visible.iter().any(|other| transitions[*other].target == *target);
            if !is_offered && host.is_visible(visit.task, index, &view) {
                visible.push(index);
            }
        }
        Ask {
            id: super::CallId(self.last_call),
            item,
            visible,
            engine: 0,
            tries: Tries::default(),
            request: None,
            mock: None,
            checking: None,
        }
    }

    /// Whether a synthetic answer stands for the real one.
    pub(super) fn is_mocked(&self, task: TaskIndex) -> bool {
        self.definition.is_mocked(self.definition.task(task), self.options.mock_mode.as_ref())
    }

    /// The synthetic answer of a task, if one stands for the real one; or why it has none.
    pub(super) fn mock(
        &self,
        visit: &Visit,
        item: Option<usize>,
        host: &dyn Typed,
    ) -> Result<Option<Value>, String> {
        if !self.is_mocked(visit.task) {
            return Ok(None);
        }
        match host.mock(visit.task, &self.view(visit, item)) {
            None => Ok(None),
            Some(Ok(answer)) => Ok(Some(answer)),
            Some(Err(error)) => Err(format!("the mock's answer can't be written as JSON: {error}")),
        }
    }

    /// A synthetic answer as the reply that it stands for, which costs nothing.
    pub(super) fn mocked_reply(&self, task: TaskIndex, answer: Value) -> ModelReply {
        let reply = match answer {
            Value::String(text) if self.reasons(task) => ModelReply::new(text),
            answer => ModelReply::from(answer),
        };
        reply.with_usage(Usage::default())
    }

    fn end(&mut self, ending: Ending<TaskIndex>, host: &mut dyn Typed) {
        let task = ending.task();
        host.notify(Notice::Left { task, next: None, route: Route::End });
        self.finish(ending, host);
    }

    fn fail_process(&mut self, visit: &Visit, host: &mut dyn Typed) {
        let mut writer = PromptWriter::default();
        match host.write(Piece::Fail(visit.task), &self.view(visit, None), &mut writer) {
            Ok(_) => self.end(Ending::Fail(visit.task, writer.finish()), host),
            Err(fmt::Error) => {
                let reason = HaltReason::Template(writer.take_failure());
                self.halt(visit.task, reason, Vec::new(), host);
            }
        }
    }

    /// The time of the run that has gone by at present.
    pub(super) fn add_time(&mut self, elapsed: Duration) {
        self.elapsed = self.elapsed.saturating_add(elapsed);
    }
}
