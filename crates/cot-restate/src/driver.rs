//! The driver loop: performs the directives of a machine through the journal and handles their events.

use std::{fmt, sync::Arc, time::Duration};

use cot_core::{
    Action, Directive, Effect, Event, EventOutcome, FunctionCall, Machine, MachinePoll, ModelCall,
    Models, Process, Question, TaskId,
};
use restate_sdk::{
    context::{DurableFuture, RequestTarget},
    prelude::{
        ContextPromises, ContextSideEffects, ContextTimers, ContextWriteState,
        DurableFuturesUnordered, HandlerError, HandlerResult, Json, RunFuture, TerminalError,
        WorkflowContext,
    },
};

use crate::{
    announced::AnnouncedCalls,
    in_flight::InFlight,
    pending_event::PendingEvent,
    people::{self, QUESTION, SubmittedAnswer, Verdict},
    perform,
    request::Request,
    status::STATUS,
    wire::{Activity, Outcome, PendingQuestion, RawJson, RunResult, Status},
};

/// The limit on the calls in flight that the status lists. Bounds the status, which is written whenever
/// calls start.
const MAX_LISTED_CALLS: usize = 100;

/// The event of a step; an error means that the run was cancelled.
type Step = Result<Event, TerminalError>;

/// The driver of a run on this node.
pub(crate) struct Driver<'a, P: Process> {
    ctx: &'a WorkflowContext<'a>,
    models: &'a Models,
    service: &'static str,
    process: String,
    machine: Machine<P>,
    announced: AnnouncedCalls,
}

impl<'a, P: Process> Driver<'a, P> {
    pub(crate) fn new(
        ctx: &'a WorkflowContext<'a>,
        models: &'a Models,
        service: &'static str,
        process: String,
        machine: Machine<P>,
        announced: AnnouncedCalls,
    ) -> Self {
        Self { ctx, models, service, process, machine, announced }
    }

    /// Drives the run to its end.
    pub(crate) async fn finish(mut self) -> HandlerResult<RawJson<RunResult<P::State>>> {
        let mut flight = InFlight::default();
        loop {
            let MachinePoll::Waiting(new) = self.machine.poll_after(flight.newest()) else {
                flight.cancel_stale(&self.machine, 0);
                return self.end().await;
            };
            let new = new.to_vec();
            flight.cancel_stale(&self.machine, new.len());
            let question = question(&new);
            let step = self.perform(&new, &mut flight).await;
            let event = step.unwrap_or_else(|error| Event::Cancelled {
                reason: format!("through Restate: {}", error.message()),
            });
            if let Event::Interrupted { id } = &event {
                // The machine of this execution has not seen the start.
                self.machine.handle(Event::Started { id: *id });
            }
            let is_answer = matches!(event, Event::Answered { .. });
            let handled = self.machine.handle(event);
            if handled == EventOutcome::Stale {
                return Err(HandlerError::from(NondeterminismError));
            }
            if let Some(call) = question {
                let verdict = Verdict::from_handled(&handled, is_answer);
                self.ctx.resolve_promise(&Verdict::promise(&call), Json(verdict));
            }
        }
    }

    /// Performs new directives and waits for the first event.
    async fn perform(&self, new: &[Directive<P::Task>], flight: &mut InFlight<'a>) -> Step {
        let directive = match new {
            [only] if only.key.item().is_none() => only,
            items => return self.call_all(items, flight).await,
        };
        match &directive.action {
            Action::CallModel(call) => self.call(directive, call).await,
            Action::RunFunction(call) => self.run(directive, call).await,
            Action::AskHuman(question) => self.ask(directive, question).await,
            Action::Sleep { duration, jitter } => self.wait(directive, *duration, *jitter).await,
        }
    }

    async fn call(&self, directive: &Directive<P::Task>, call: &ModelCall) -> Step {
        let key = directive.key.to_string();
        self.set_status(directive.task, Activity::AsksModel { call: key.clone() });
        let (models, engine) = (self.models, call.engine);
        let (request, id) = (Arc::clone(&call.request), (directive.id, directive.timeout));
        let asked =
            move || async move { Ok(Json(perform::ask(models, engine, request, id).await)) };
        Ok(self.ctx.run(asked).name(key).await?.into_inner())
    }

    /// Starts calls beside those in flight, and waits for the first event.
    async fn call_all(&self, new: &[Directive<P::Task>], flight: &mut InFlight<'a>) -> Step {
        if let Some(first) = new.first() {
            let begun = new.iter().map(|call| call.key.to_string());
            let calls = flight.keys().map(str::to_owned).chain(begun).take(MAX_LISTED_CALLS);
            let in_flight = flight.len() + new.len();
            self.set_status(first.task, Activity::AsksModels { calls: calls.collect(), in_flight });
            // The prompts are journaled, since rendering them again may give other texts.
            let prompts = format!("prompts of {}", first.key);
            let requests: Vec<_> = new.iter().filter_map(Request::from_directive).collect();
            let written = self.ctx.run(move || async move { Ok(Json(requests)) }).name(prompts);
            let Json(requests) = written.await?;
            let target = RequestTarget::workflow(self.service, self.ctx.key(), "call");
            flight.start(self.ctx, &target, requests).await?;
        }
        flight.next().await
    }

    async fn run(&self, directive: &Directive<P::Task>, call: &FunctionCall) -> Step {
        let key = directive.key.to_string();
        self.set_status(directive.task, Activity::RunsCode { call: key.clone() });
        let (id, limit, function) = (directive.id, directive.timeout, call.run());
        let is_interrupted = match call.effect() {
            Effect::Repeatable => false,
            Effect::Once => self.was_started(&key).await?,
        };
        let ran = move || async move {
            Ok(Json(match is_interrupted {
                true => Event::Interrupted { id },
                false => perform::run(id, limit, function).await,
            }))
        };
        Ok(self.ctx.run(ran).name(key).await?.into_inner())
    }

    /// Journals that a call that is made once starts, and returns whether it may have been made: by another node,
    /// or by this one in an earlier execution of the run. A call whose result is in the journal is not affected,
    /// since that result is returned.
    async fn was_started(&self, key: &str) -> Result<bool, TerminalError> {
        let (own, announced) = (perform::random(), self.announced.clone());
        let started = self.ctx.run(move || async move {
            announced.add(own);
            Ok(Json(own))
        });
        let Json(started) = started.name(format!("start {key}")).await?;
        Ok(!self.announced.take(started))
    }

    async fn ask(&self, directive: &Directive<P::Task>, question: &Question) -> Step {
        let key = directive.key.to_string();
        let question = RawJson::<PendingQuestion>::new(&people::question(directive, question));
        let written = self.ctx.run(move || async move { Ok(Json(question?)) });
        let Json(question) = written.name(format!("ask {key}")).await?;
        let since = question.read().map_or(0, |question| question.since);
        self.set_status(directive.task, Activity::AsksPerson { call: key.clone() });
        self.ctx.set(QUESTION, Json(question));
        let step = first_event(self.answer_or_timeout(directive, &key, since)).await;
        self.ctx.clear(QUESTION);
        step
    }

    fn answer_or_timeout<'b>(
        &'b self,
        directive: &Directive<P::Task>,
        key: &'b str,
        since: u64,
    ) -> Vec<PendingEvent<'b, Event>> {
        let ctx: &'b WorkflowContext<'b> = self.ctx;
        let id = directive.id;
        let answered = ctx.promise::<Json<SubmittedAnswer>>(key).map_ok(move |Json(given)| {
            let elapsed = Duration::from_millis(given.at.saturating_sub(since));
            Event::Answered { id, answer: given.answer, elapsed }
        });
        let mut coming: Vec<PendingEvent<'b, Event>> = vec![Box::pin(answered)];
        if let Some(elapsed) = directive.timeout {
            let over = ctx.sleep(elapsed).map_ok(move |()| Event::TimedOut { id, elapsed });
            coming.push(Box::pin(over));
        }
        coming
    }

    async fn wait(
        &self,
        &Directive { id, task, .. }: &Directive<P::Task>,
        duration: Duration,
        jitter: Duration,
    ) -> Step {
        // Derived from the invocation, so that a replay has the same duration.
        let part = self.ctx.random_seed().wrapping_add(self.machine.steps()) % 1000;
        let duration = duration.saturating_add(jitter.mul_f64(part as f64 / 1000.0));
        self.set_status(task, Activity::Waits { duration });
        self.ctx.sleep(duration).await?;
        Ok(Event::Woken { id })
    }

    async fn end(&self) -> HandlerResult<RawJson<RunResult<P::State>>> {
        let machine = &self.machine;
        let (Some(ending), Some(state), Some(task)) =
            (machine.ending(), machine.state(), machine.task())
        else {
            return Err(HandlerError::from(NondeterminismError));
        };
        let (outcome, usage, steps) = (Outcome::from(ending), machine.usage(), machine.steps());
        let ended = RawJson::new(&RunResult { outcome, state, usage, steps })?;
        let ended = match self.write_end(ended.clone()).await {
            Ok(ended) => ended,
            // A cancellation at this point is too late.
            Err(_) => self.write_end(ended).await?,
        };
        self.set_status(task, Activity::Ended);
        Ok(ended)
    }

    async fn write_end<T: 'static>(&self, ended: RawJson<T>) -> Result<RawJson<T>, TerminalError> {
        let written = self.ctx.run(move || async move { Ok(Json(ended)) }).name("end");
        Ok(written.await?.into_inner())
    }

    /// Updates the status that the status handler returns.
    fn set_status(&self, task: P::Task, doing: Activity) {
        let status = Status {
            process: self.process.clone(),
            task: task.name().to_owned(),
            doing,
            callers: self.machine.callers().map(|task| task.name().to_owned()).collect(),
            steps: self.machine.steps(),
            usage: self.machine.usage(),
            question: None,
        };
        self.ctx.set(STATUS, Json(status));
    }
}

/// Returns the key of the human question among the directives.
fn question<T>(directives: &[Directive<T>]) -> Option<String> {
    let asked = directives.iter().find(|directive| directive.as_question().is_some())?;
    Some(asked.key.to_string())
}

async fn first_event(coming: Vec<PendingEvent<'_, Event>>) -> Step {
    let mut coming: DurableFuturesUnordered<_> = coming.into_iter().collect();
    match coming.next().await? {
        Some((_, step)) => step,
        None => Err(TerminalError::new("the set of awaited events is empty")),
    }
}

/// The error for a process that deviates from its journal: it is not deterministic, or it has changed
/// in a way that the fingerprint does not cover.
#[derive(thiserror::Error)]
#[error(
    "the process deviates from its journal: something in it depends on more than its state \
     and its answers, or has changed since the run was started"
)]
struct NondeterminismError;

// The SDK reports errors by their `Debug`.
impl fmt::Debug for NondeterminismError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
