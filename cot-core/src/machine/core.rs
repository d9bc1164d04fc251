//! What decides: one run of any process, without its types.

use std::{fmt, sync::Arc, time::Duration};

use super::{
    CallId, Event, Handled, MachineOptions, Piece, Typed,
    host::Notice,
    phase::{Calling, Phase},
    routing::Callers,
};
use crate::{
    Attempt, Halt, HaltReason, History, Usage,
    blueprint::{AiDefinition, Definition, TaskIndex, TaskKind},
    model::ModelRequest,
    outcome::Ending,
    prompt::{
        PromptWriter,
        assemble::{Question, assemble},
    },
};

/// One run of a process.
pub(super) struct Core {
    pub(super) definition: &'static Definition,
    pub(super) options: MachineOptions,
    pub(super) phase: Phase,
    pub(super) goal: String,
    pub(super) history: History,
    pub(super) callers: Callers,
    pub(super) usage: Usage,
    pub(super) steps: u64,
    pub(super) elapsed: Duration,
    pub(super) last_call: u64,
    /// Size of the last prompt: the next one will be about as long.
    pub(super) prompt_size: usize,
}

/// What has to be done next, before it gets its types.
pub(super) enum Next {
    Call(Call),
    Finished(Ending<TaskIndex>),
}

/// A model call, before it gets its types.
pub(super) struct Call {
    pub(super) id: CallId,
    pub(super) task: TaskIndex,
    pub(super) attempt: u32,
    pub(super) engine: Option<&'static str>,
    pub(super) request: Arc<ModelRequest>,
    pub(super) timeout: Option<Duration>,
}

impl Core {
    pub(super) fn goal(&self) -> &str {
        &self.goal
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }

    pub(super) fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn callers(&self) -> &[TaskIndex] {
        self.callers.as_slice()
    }

    pub(super) fn last_call(&self) -> u64 {
        self.last_call
    }

    pub(super) fn is_at_boundary(&self) -> bool {
        matches!(self.phase, Phase::At { .. })
    }

    pub(super) fn ending(&self) -> Option<&Ending<TaskIndex>> {
        match &self.phase {
            Phase::Finished { ending } => Some(ending),
            _ => None,
        }
    }

    /// Goes on until the driver is needed.
    pub(super) fn advance(&mut self, host: &mut dyn Typed) -> Next {
        let mut hops = 0;
        loop {
            match &self.phase {
                Phase::Finished { ending } => return Next::Finished(ending.clone()),
                Phase::Calling(call) => match &call.request {
                    Some(request) => return Next::Call(self.call(call, request)),
                    None => self.ask(host),
                },
                Phase::At { task } => {
                    let task = *task;
                    hops += 1;
                    self.enter(task, hops, host);
                }
            }
        }
    }

    /// Takes in what happened.
    pub(super) fn handle(&mut self, event: Event, host: &mut dyn Typed) -> Handled {
        if self.ending().is_some() {
            return Handled::NotRunning;
        }
        match event {
            Event::Replied { id, reply, elapsed } => self.answered(id, elapsed, |core, call| {
                core.replied(call, &reply, elapsed, host);
            }),
            Event::Failed { id, error, elapsed } => self.answered(id, elapsed, |core, call| {
                core.no_reply(call, HaltReason::Unreachable(error), elapsed, host);
            }),
            Event::TimedOut { id, elapsed } => {
                // Said before the time is added up, from the limits that the driver was given.
                let reason = self.what_times_out();
                self.answered(id, elapsed, |core, call| {
                    core.no_reply(call, reason, elapsed, host);
                })
            }
            Event::Cancelled { reason } => self.cancel(reason, host),
        }
    }

    /// Runs `then` with the call that an event answers, if it is the one that is under way.
    fn answered(
        &mut self,
        id: CallId,
        elapsed: Duration,
        then: impl FnOnce(&mut Self, Calling),
    ) -> Handled {
        let Some(task) = self.calling_mut().filter(|call| call.id == id).map(|call| call.task)
        else {
            return Handled::Stale;
        };
        // What stays if code of the process panics meanwhile: half of the reply may have been taken in,
        // so nothing can go on from there.
        let panicked = Halt { task, reason: HaltReason::Panicked, attempts: Vec::new() };
        let parked = Phase::Finished { ending: Ending::Halted(panicked) };
        let Phase::Calling(mut call) = std::mem::replace(&mut self.phase, parked) else {
            return Handled::Stale;
        };
        call.spent = call.spent.saturating_add(elapsed);
        call.request = None;
        self.elapsed = self.elapsed.saturating_add(elapsed);
        then(self, call);
        Handled::Applied
    }
}

/// Tasks, from their start to the call.
impl Core {
    fn enter(&mut self, task: TaskIndex, hops: usize, host: &mut dyn Typed) {
        match &self.definition.task(task).kind {
            TaskKind::Ai(ai) => self.begin(task, ai, host),
            // The compiler refuses loops of gateways; this holds what impure guards can do.
            TaskKind::Gateway if hops > self.definition.tasks.len() => {
                self.halt(task, HaltReason::GatewayLoop, Vec::new(), host);
            }
            TaskKind::Gateway => self.route(task, None, host),
            TaskKind::End => self.finish(Ending::End(task), host),
            TaskKind::Fail => self.fail(task, host),
        }
    }

    fn begin(&mut self, task: TaskIndex, ai: &AiDefinition, host: &mut dyn Typed) {
        if let Some(limit) = self.max_steps().filter(|limit| self.steps >= *limit) {
            return self.halt(task, HaltReason::MaxSteps(limit), Vec::new(), host);
        }
        if let Some(limit) = self.timeout().filter(|limit| self.elapsed >= *limit) {
            return self.halt(task, HaltReason::RunTimeout(limit), Vec::new(), host);
        }
        self.steps += 1;
        host.notify(Notice::Started { task, step: self.steps });
        let id = self.new_call();
        self.phase = Phase::Calling(self.visit(task, id, ai, host));
    }

    /// A visit of a task with the transitions whose guards hold now.
    pub(super) fn visit(
        &self,
        task: TaskIndex,
        id: CallId,
        ai: &AiDefinition,
        host: &dyn Typed,
    ) -> Calling {
        let view = self.view(task);
        let visible = (0..ai.transitions.len()).filter(|i| host.is_visible(task, *i, &view));
        let visible = visible.collect();
        Calling { task, id, visible, attempts: Vec::new(), spent: Duration::ZERO, request: None }
    }

    /// Writes the request of the call that is under way.
    fn ask(&mut self, host: &mut dyn Typed) {
        let Phase::Calling(call) = &self.phase else {
            return;
        };
        let (task, attempt) = (call.task, call.attempt());
        let question = Question {
            definition: self.definition,
            task,
            visible: &call.visible,
            issues: call.attempts.last().map(|attempt| &attempt.issues),
            view: self.view(task),
            size: self.prompt_size,
        };
        match assemble(&question, host) {
            Ok(request) => {
                self.prompt_size = request.prompt().len();
                let request = Arc::new(request);
                host.notify(Notice::Prompt { task, attempt, request: &request });
                if let Phase::Calling(call) = &mut self.phase {
                    call.request = Some(request);
                }
            }
            Err(why) => {
                let attempts = self.calling_mut().map(|call| std::mem::take(&mut call.attempts));
                self.halt(task, HaltReason::Template(why), attempts.unwrap_or_default(), host);
            }
        }
    }

    fn call(&self, call: &Calling, request: &Arc<ModelRequest>) -> Call {
        let engine = self.ai(call.task).and_then(|ai| ai.engine).or(self.definition.engine);
        Call {
            id: call.id,
            task: call.task,
            attempt: call.attempt(),
            engine,
            request: Arc::clone(request),
            timeout: self.time_left(call).map(|(left, _)| left),
        }
    }

    fn fail(&mut self, task: TaskIndex, host: &mut dyn Typed) {
        let mut writer = PromptWriter::default();
        match host.write(Piece::Fail(task), &self.view(task), &mut writer) {
            Ok(_) => self.finish(Ending::Fail(task, writer.finish()), host),
            Err(fmt::Error) => {
                self.halt(task, HaltReason::Template(writer.take_failure()), Vec::new(), host);
            }
        }
    }
}

/// Where to go, and the end.
impl Core {
    pub(super) fn route(
        &mut self,
        task: TaskIndex,
        chosen: Option<TaskIndex>,
        host: &mut dyn Typed,
    ) {
        let next = self.next_task(task, chosen, host);
        self.go(task, next, host);
    }

    /// The first that says something: the choice, the arms, the sequence, the default, the caller.
    pub(super) fn next_task(
        &self,
        task: TaskIndex,
        chosen: Option<TaskIndex>,
        host: &dyn Typed,
    ) -> Option<TaskIndex> {
        let definition = self.definition.task(task);
        let view = self.view(task);
        let arm = || (0..definition.next.len()).find(|arm| host.takes_arm(task, *arm, &view));
        chosen
            .or_else(|| definition.next.get(arm()?).copied())
            .or(definition.in_sequence)
            .or(self.definition.default_return)
            .or_else(|| self.callers.calling_task())
    }

    pub(super) fn go(&mut self, task: TaskIndex, next: Option<TaskIndex>, host: &mut dyn Typed) {
        match next {
            Some(next) => {
                self.callers.unwind(next);
                self.phase = Phase::At { task: next };
            }
            None => self.finish(Ending::RanOut(task), host),
        }
    }

    fn cancel(&mut self, reason: String, host: &mut dyn Typed) -> Handled {
        let (task, attempts) = match &mut self.phase {
            Phase::At { task } => (*task, Vec::new()),
            Phase::Calling(call) => (call.task, std::mem::take(&mut call.attempts)),
            Phase::Finished { .. } => return Handled::NotRunning,
        };
        self.halt(task, HaltReason::Cancelled(reason), attempts, host);
        Handled::Applied
    }

    pub(super) fn halt(
        &mut self,
        task: TaskIndex,
        reason: HaltReason,
        attempts: Vec<Attempt>,
        host: &mut dyn Typed,
    ) {
        self.finish(Ending::Halted(Halt { task, reason, attempts }), host);
    }

    pub(super) fn finish(&mut self, ending: Ending<TaskIndex>, host: &mut dyn Typed) {
        let (usage, elapsed) = (self.usage, self.elapsed);
        host.notify(Notice::Finished { ending: &ending, usage, elapsed });
        self.phase = Phase::Finished { ending };
    }
}

impl fmt::Debug for Core {
    /// Where the run stands; prompts and states are too long to be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (phase, task) = match &self.phase {
            Phase::At { task } => ("at", *task),
            Phase::Calling(call) => ("calling", call.task),
            Phase::Finished { ending: Ending::Halted(halt) } => ("halted", halt.task),
            Phase::Finished {
                ending: Ending::End(task) | Ending::Fail(task, _) | Ending::RanOut(task),
            } => ("finished", *task),
        };
        f.debug_struct("Run")
            .field("phase", &phase)
            .field("task", &self.name(task))
            .field("steps", &self.steps)
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}
