//! A question to a model, about a task or one item of it.

use std::{sync::Arc, time::Duration};

use cot_bounds::DEFAULT_MAX_RETRIES;
use cot_model::{ModelErrorKind, ModelRequest};
use cot_schema::Issues;
use serde_json::Value;

use crate::{
    process::{
        mock::OwnAnswer,
        options::Fallback,
        tables::{TaskKind, TransitionDefinition},
    },
    prompt::{
        assemble::assemble,
        input::{PromptInput, PromptShape},
    },
    protocol::{
        directive::{Action, CallId, Directive, ModelCall},
        key::call_key::CallPart,
        run_event::event::RunEvent,
    },
    reply::end::ReplyEnd,
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts, RunView, Visit},
        limits::{Lane, expired_limit},
        phase::tools::conversation::ToolConversation,
        restore_context::RestoreContext,
    },
    snapshot::{data::PendingCall, error::SnapshotError},
    values::outcome::{Failure, HaltReason},
};

/// A question that is asked until an answer is accepted or no retry is left.
#[derive(Debug, Clone)]
pub(crate) struct ModelQuestion {
    pub(crate) id: CallId,
    pub(crate) item: Option<usize>,
    /// The indexes of the transitions whose guards held when the task started.
    pub(crate) visible: Vec<usize>,
    /// The index of the current engine of the task.
    pub(crate) engine: usize,
    /// The indexes of the engines whose failure no wait mends. They are not called again.
    pub(crate) lost: Vec<usize>,
    pub(crate) attempts: Attempts,
    /// The request; created at the first poll.
    pub(crate) request: Option<Arc<ModelRequest>>,
    /// What decides where a streamed reply ends; created with the request.
    pub(crate) until: Option<ReplyEnd>,
    /// The mock answer, instead of a model call.
    pub(crate) mock: Option<Value>,
    /// Whether the mock answer is the text of a reply that the program reads itself.
    pub(crate) reads_mock: bool,
    /// The number of pauses after calls without a reply.
    pub(crate) pauses: u32,
    /// Whether the pending call is a pause.
    pub(crate) is_pausing: bool,
    /// The tools of the task and their calls. Boxed, since few tasks have tools.
    pub(crate) tools: Option<Box<ToolConversation>>,
}

/// Creating the call of a question.
impl ModelQuestion {
    /// Creates a question with the transitions whose guards hold now.
    pub(crate) fn new(
        (id, item): (CallId, Option<usize>),
        RunView { facts, visit, host }: RunView<'_>,
    ) -> Self {
        let scope = facts.scope(visit, item);
        let transitions = facts.ai(visit.task).map_or(&[][..], |ai| ai.transitions);
        let mut visible: Vec<usize> = Vec::new();
        for (index, TransitionDefinition { target, .. }) in transitions.iter().enumerate() {
            // Of several transitions to the same task, the first whose guard holds is offered.
            let is_offered = visible.iter().any(|other| transitions[*other].target == *target);
            if !is_offered && host.is_visible(visit.task, index, &scope) {
                visible.push(index);
            }
        }
        let (attempts, request, until, mock) = (Attempts::default(), None, None, None);
        let (pauses, is_pausing) = (0, false);
        let tools = ToolConversation::begin(facts, visit, host);
        Self {
            id,
            item,
            visible,
            engine: 0,
            lost: Vec::new(),
            attempts,
            request,
            until,
            mock,
            reads_mock: false,
            pauses,
            is_pausing,
            tools,
        }
    }

    /// Creates the question of a task that has not started; for a for-each task, the question of its first
    /// item.
    pub(crate) fn preview(view: RunView<'_>) -> Result<Self, String> {
        let RunView { facts, visit, host } = view;
        let kind = &facts.definition.task(visit.task).kind;
        let is_each = matches!(kind, TaskKind::Each(_)) && kind.ai().is_some();
        if is_each && host.item_count(visit.task, &facts.scope(visit, None)) == 0 {
            return Err("there are no items".to_owned());
        }
        let item = is_each.then_some(0);
        Ok(Self::new((CallId(facts.last_call), item), view))
    }

    /// Returns the input for assembling the prompt.
    pub(crate) fn prompt_input<'a>(
        &'a self,
        facts: &'a RunFacts,
        visit: &'a Visit,
    ) -> PromptInput<'a> {
        PromptInput {
            definition: facts.definition,
            task: visit.task,
            visible: &self.visible,
            issues: self.attempts.last_rejected().map(|attempt| &attempt.issues),
            tools: self.tools.as_ref().map_or(&[], |tools| &tools.tools),
            rounds: self.tools.as_ref().map_or(&[], |tools| &tools.rounds),
            view: facts.scope(visit, self.item),
            shape: facts.prompt_shapes[visit.task]
                .unwrap_or_else(|| PromptShape::new(facts.definition, visit.task)),
        }
    }

    /// Assembles the request, and computes the mock answer of a mocked task.
    ///
    /// # Errors
    ///
    /// If a template fails or the mock answer does not serialize, in words.
    pub(crate) fn prepare(&mut self, cx: &mut RunContext<'_>) -> Result<(), String> {
        if self.is_pausing {
            return Ok(());
        }
        cx.facts.attempt = self.attempts.number();
        let input = self.prompt_input(cx.facts, cx.visit);
        let (request, shape) = (Arc::new(assemble(&input, cx.host)?), input.shape);
        let (task, item, attempt) = (cx.visit.task, self.item, self.attempts.number());
        let last_size = request.prompt().len();
        cx.facts.prompt_shapes[task] = Some(PromptShape { last_size, ..shape });
        let pending = &request;
        cx.host.emit(|| RunEvent::Prompt { task, item, attempt, request: Arc::clone(pending) });
        self.mock = cx.mock(self.item)?;
        if cx.facts.reads(task) {
            if let Some(answer) = self.mock.take() {
                let answer = serde_json::from_value(answer).map_err(|error| error.to_string())?;
                let (answer, is_text) = OwnAnswer::into_parts(answer);
                (self.mock, self.reads_mock) = (Some(answer), is_text);
            }
            self.until = cx.host.reply_end(task, &cx.facts.scope(cx.visit, item));
        }
        self.request = Some(request);
        Ok(())
    }

    /// Restores the question from snapshot data.
    pub(crate) fn restore(
        visit: &Visit,
        mut pending: PendingCall,
        cx: &RestoreContext<'_>,
    ) -> Result<Self, SnapshotError> {
        let question = Self::new(
            (pending.call, pending.item),
            RunView { facts: cx.facts, visit, host: cx.host },
        );
        let engine = pending.engine.min(cx.facts.engines(visit.task).len().saturating_sub(1));
        cx.check_call_id(pending.call)?;
        let attempts = Attempts::restore(&mut pending);
        let PendingCall { lost, pauses, is_pausing, .. } = pending;
        Ok(Self { engine, lost, attempts, pauses, is_pausing, ..question })
    }

    /// Returns the question as snapshot data.
    pub(crate) fn save(&self) -> PendingCall {
        let pending = self.attempts.save(self.id);
        let Self { item, engine, pauses, is_pausing, .. } = *self;
        PendingCall { item, engine, lost: self.lost.clone(), pauses, is_pausing, ..pending }
    }

    /// Returns the directive of the model call, if its request is written, or of the pause before it. `run` is
    /// the elapsed time of the run.
    pub(crate) fn model_call(&self, cx: &RunContext<'_>, run: Duration) -> Option<Directive> {
        if self.is_pausing {
            let retry = &cx.facts.definition.task(cx.visit.task).retry;
            let sleep = Action::pause(retry.pause(self.pauses));
            return Some(self.directive(None, sleep, cx));
        }
        let (task, facts) = (cx.visit.task, &*cx.facts);
        let left = facts.time_left(task, self.attempts.spent, run).map(|(left, _)| left);
        let action = Action::CallModel(ModelCall {
            engine: facts.engines(task).get(self.engine).copied(),
            request: Arc::clone(self.request.as_ref()?),
            output: cx.host.output_schema(task).filter(|_| !facts.reasons(task)),
            trust: facts.definition.trust.task(task),
            until: self.until.clone(),
        });
        let mut directive = self.directive(left, action, cx);
        let rounds = self.tools.as_ref().map_or(0, |tools| tools.rounds.len());
        if let Some(round) = u32::try_from(rounds).ok().filter(|round| *round > 0) {
            directive.key = directive.key.with_part(CallPart::Round(round));
        }
        Some(directive)
    }

    fn directive(
        &self,
        timeout: Option<Duration>,
        action: Action,
        cx: &RunContext<'_>,
    ) -> Directive {
        cx.item_directive(self.item, (self.id, self.attempts.number()), timeout, action)
    }
}

/// Handling failed attempts.
impl ModelQuestion {
    /// Records a rejected reply and asks again while retries are left. Returns the reason if none are left.
    pub(crate) fn reject(
        &mut self,
        reply: ReplyCost<'_>,
        issues: Issues,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> Option<HaltReason> {
        let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
        let blocker = self.retry_blocker(lane, cx.facts, cx.visit);
        self.record(failed, blocker.is_none(), cx);
        if blocker.is_none() {
            self.ask_again(cx.facts);
        }
        blocker
    }

    fn retry_blocker(&self, lane: Lane, facts: &RunFacts, visit: &Visit) -> Option<HaltReason> {
        let max_retries = facts.definition.task(visit.task).max_retries;
        let max_retries =
            max_retries.or(facts.definition.max_retries).unwrap_or(DEFAULT_MAX_RETRIES);
        let is_last =
            u32::try_from(self.attempts.rejected()).is_ok_and(|count| count >= max_retries);
        if is_last {
            return Some(HaltReason::Exhausted);
        }
        let left = facts.time_left(visit.task, self.attempts.spent, lane.elapsed);
        expired_limit(left).or_else(|| facts.exhausted_budget(lane.others))
    }

    /// Records a failed call and asks the next engine if the fallback rule allows it. Returns the reason
    /// otherwise.
    pub(crate) fn fall_back(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> Option<HaltReason> {
        let falls_back = match failed.failure {
            Failure::Unreachable => true,
            Failure::Refused => cx.facts.options.fallback == Fallback::Refused,
            _ => false,
        };
        let diverged = matches!(&reason, HaltReason::Unreachable(error)
            if *error.kind() == ModelErrorKind::Diverged);
        self.note_lost(&reason, cx);
        let can_ask = !diverged && cx.facts.exhausted_budget(lane.others).is_none();
        let next = self.open_engine(self.engine + 1, cx).filter(|_| falls_back && can_ask);
        if next.is_none() && can_ask && self.has_repetitions(failed.failure, lane, cx) {
            self.record(failed, true, cx);
            self.pause(cx);
            return None;
        }
        self.record(failed, next.is_some(), cx);
        let Some(next) = next else { return Some(reason) };
        self.engine = next;
        self.ask_again(cx.facts);
        None
    }

    /// Notes that the current engine is not to be called again, if its error can't be mended by a retry. A reply that
    /// took too long after it had begun counts as a time-out.
    fn note_lost(&mut self, reason: &HaltReason, cx: &RunContext<'_>) {
        let HaltReason::Unreachable(error) = reason else { return };
        let retries_timeouts = cx.facts.definition.task(cx.visit.task).retry.timeouts;
        let is_timeout = *error.kind() == ModelErrorKind::Unfinished;
        let may_pass = error.is_retryable() || is_timeout && retries_timeouts;
        if !may_pass {
            self.lost.push(self.engine);
        }
    }

    /// Returns the first engine from an index on that may be called.
    fn open_engine(&self, first: usize, cx: &RunContext<'_>) -> Option<usize> {
        let engines = cx.facts.engines(cx.visit.task).len().max(1);
        (first..engines).find(|engine| !self.lost.contains(engine))
    }

    /// Returns whether `retry` allows to call the models again after none of them replied.
    fn has_repetitions(&self, failure: Failure, lane: Lane, cx: &RunContext<'_>) -> bool {
        let retry = &cx.facts.definition.task(cx.visit.task).retry;
        let applies = match failure {
            Failure::Unreachable => true,
            Failure::TimedOut => retry.timeouts,
            _ => false,
        };
        let spent = if retry.timeouts { Duration::ZERO } else { self.attempts.spent };
        let left = cx.facts.time_left(cx.visit.task, spent, lane.elapsed);
        let can_repeat = applies && self.pauses < retry.calls.unwrap_or(0);
        can_repeat && self.open_engine(0, cx).is_some() && expired_limit(left).is_none()
    }

    /// Starts the pause before the models are called again, beginning with the first that may be called.
    fn pause(&mut self, cx: &mut RunContext<'_>) {
        let task = cx.visit.task;
        let retry = &cx.facts.definition.task(task).retry;
        if retry.timeouts {
            // The time limit applies to each round of calls.
            self.attempts.spent = Duration::ZERO;
        }
        self.engine = self.open_engine(0, cx).unwrap_or_default();
        self.pauses += 1;
        self.is_pausing = true;
        self.ask_again(cx.facts);
        let duration = retry.pause(self.pauses);
        cx.host.emit(|| RunEvent::Waiting { task, duration });
    }

    /// Ends the pause.
    pub(crate) fn resume_asking(&mut self, facts: &mut RunFacts) {
        self.is_pausing = false;
        self.ask_again(facts);
    }

    pub(crate) fn record(
        &mut self,
        failed: FailedAttempt<'_>,
        will_retry: bool,
        cx: &mut RunContext<'_>,
    ) {
        let task = cx.visit.task;
        let engine = cx.facts.engines(task).get(self.engine).copied();
        let target = AttemptTarget { task, item: self.item, engine };
        self.attempts.record(target, failed, will_retry, cx.host);
    }

    /// Assigns a new call to the question. Its request is written at the next poll.
    pub(crate) fn ask_again(&mut self, facts: &mut RunFacts) {
        self.id = facts.new_call();
        self.request = None;
        self.mock = None;
    }
}
