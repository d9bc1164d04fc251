//! The driver loop: performs the directives of a machine through the journal and handles their events.

use std::{fmt, sync::Arc, time::Duration};

use cot_core::{
    Action, Directive, Effect, Event, EventOutcome, FunctionCall, Machine, MachinePoll, ModelCall,
    Models, Process, TaskId, model::BoxFuture,
};
use futures_util::future::join_all;
use restate_sdk::{
    context::{DurableFuture, RequestTarget},
    prelude::{
        ContextPromises, ContextSideEffects, ContextTimers, ContextWriteState, HandlerError,
        HandlerResult, Json, RunFuture, TerminalError, WorkflowContext,
    },
};

use crate::{
    announced::AnnouncedCalls,
    in_flight::InFlight,
    keys::Keys,
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
        let keys = Keys::default();
        let mut flight = InFlight::default();
        loop {
            let MachinePoll::Waiting(new) = self.machine.poll_after(flight.newest()) else {
                flight.cancel_stale(&self.machine, 0);
                self.close_question(&mut flight, &Verdict::TooLate);
                return self.end().await;
            };
            let new = new.to_vec();
            flight.cancel_stale(&self.machine, new.len());
            let event = self.perform(new, &mut flight, &keys).await;
            let event = event.unwrap_or_else(|error| Event::Cancelled {
                reason: format!("through Restate: {}", error.message()),
                calls: 0,
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
            self.close_question(&mut flight, &Verdict::from_handled(&handled, is_answer));
        }
    }

    /// Closes the open question if the run does not ask it any more, and tells the person who answers the verdict.
    fn close_question(&self, flight: &mut InFlight<'_, P::Task>, verdict: &Verdict) {
        if let Some(key) = flight.close_question(&self.machine) {
            self.ctx.clear(QUESTION);
            self.ctx.resolve_promise(&Verdict::promise(&key), Json(verdict.clone()));
        }
    }

    /// Performs new directives and waits for the first event.
    async fn perform<'f>(
        &self,
        new: Vec<Directive<P::Task>>,
        flight: &mut InFlight<'f, P::Task>,
        keys: &'f Keys,
    ) -> Step
    where
        'a: 'f,
    {
        if let [only] = &*new
            && only.key.item().is_none()
            && flight.is_idle()
        {
            match &only.action {
                Action::CallModel(call) => return self.call(only, call).await,
                Action::RunFunction(call) => return self.run(only, call).await,
                Action::Sleep { duration, jitter } => {
                    return self.wait(only, *duration, *jitter).await;
                }
                Action::AskHuman(_) => {}
            }
        }
        self.start_all(new, flight).await?;
        loop {
            if let Some(event) = flight.take_ready() {
                return Ok(event);
            }
            if let Some(question) = flight.next_question() {
                self.ask(&question, flight, keys).await?;
            }
            let functions = flight.take_functions();
            if functions.is_empty() {
                return flight.next(&self.machine).await;
            }
            flight.add_ready(self.run_all(&functions).await?);
        }
    }

    /// Starts model calls and timers beside the directives in flight, and holds functions and questions.
    async fn start_all<'f>(
        &self,
        new: Vec<Directive<P::Task>>,
        flight: &mut InFlight<'f, P::Task>,
    ) -> Result<(), TerminalError>
    where
        'a: 'f,
    {
        let ctx: &'f WorkflowContext<'f> = self.ctx;
        let mut calls = Vec::new();
        for directive in new {
            flight.see(directive.id);
            match &directive.action {
                Action::CallModel(_) => calls.push(directive),
                Action::RunFunction(_) => flight.hold_function(directive),
                Action::AskHuman(_) => flight.hold_question(directive),
                Action::Sleep { duration, jitter } => {
                    let id = directive.id;
                    let woken = ctx.sleep(self.jittered(*duration, *jitter));
                    let woken = woken.map_ok(move |()| (id, Event::Woken { id }));
                    flight.await_event((id, directive.key.to_string()), Box::pin(woken));
                }
            }
        }
        if calls.is_empty() { Ok(()) } else { self.call_all(&calls, flight).await }
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

    /// Starts model calls on other nodes, beside the directives in flight.
    async fn call_all<'f>(
        &self,
        new: &[Directive<P::Task>],
        flight: &mut InFlight<'f, P::Task>,
    ) -> Result<(), TerminalError>
    where
        'a: 'f,
    {
        let ctx: &'f WorkflowContext<'f> = self.ctx;
        let Some(first) = new.first() else { return Ok(()) };
        let begun = new.iter().map(|call| call.key.to_string());
        let calls = flight.keys().map(str::to_owned).chain(begun).take(MAX_LISTED_CALLS);
        let in_flight = flight.len() + new.len();
        self.set_status(first.task, Activity::AsksModels { calls: calls.collect(), in_flight });
        // The prompts are journaled, since rendering them again may give other texts.
        let prompts = format!("prompts of {}", first.key);
        let requests: Vec<_> = new.iter().filter_map(Request::from_directive).collect();
        let written = ctx.run(move || async move { Ok(Json(requests)) }).name(prompts);
        let Json(requests) = written.await?;
        let target = RequestTarget::workflow(self.service, self.ctx.key(), "call");
        flight.start(ctx, &target, requests).await
    }

    /// Performs functions together, in one entry of the journal: a crash repeats all of them.
    async fn run_all(
        &self,
        directives: &[Directive<P::Task>],
    ) -> Result<Vec<Event>, TerminalError> {
        if let [directive] = directives
            && let Action::RunFunction(call) = &directive.action
        {
            return Ok(vec![self.run(directive, call).await?]);
        }
        // All starts are in the journal before the first call counts as made.
        let mut starts = Vec::new();
        for directive in directives {
            let Action::RunFunction(call) = &directive.action else { continue };
            let started = match call.effect() {
                // A workflow refuses processes with transactions.
                Effect::Repeatable | Effect::Transaction => None,
                Effect::Once => Some(self.journal_start(&directive.key.to_string()).await?),
            };
            starts.push((directive, call, started));
        }
        let running = starts.into_iter().map(|(directive, call, started)| {
            let (id, limit) = (directive.id, directive.timeout);
            let is_interrupted = started.is_some_and(|started| !self.announced.take(started));
            let running: BoxFuture<'static, Event> = match is_interrupted {
                true => Box::pin(std::future::ready(Event::Interrupted { id })),
                false => Box::pin(perform::run(id, limit, call.run())),
            };
            running
        });
        let running: Vec<_> = running.collect();
        let Some(first) = directives.first() else { return Ok(Vec::new()) };
        let key = first.key.to_string();
        self.set_status(first.task, Activity::RunsCode { call: key.clone() });
        let name = format!("{key} and {} more", directives.len() - 1);
        let ran = move || async move {
            let mut events = join_all(running).await;
            // The fastest branch wins where the first one counts.
            events.sort_by_key(duration);
            Ok(Json(events))
        };
        Ok(self.ctx.run(ran).name(name).await?.into_inner())
    }

    async fn run(&self, directive: &Directive<P::Task>, call: &FunctionCall) -> Step {
        let key = directive.key.to_string();
        self.set_status(directive.task, Activity::RunsCode { call: key.clone() });
        let (id, limit, function) = (directive.id, directive.timeout, call.run());
        let is_interrupted = match call.effect() {
            Effect::Repeatable | Effect::Transaction => false,
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
        let started = self.journal_start(key).await?;
        Ok(!self.announced.take(started))
    }

    /// Journals that a call that is made once starts. Returns the number under which it is announced.
    async fn journal_start(&self, key: &str) -> Result<u64, TerminalError> {
        let (own, announced) = (perform::random(), self.announced.clone());
        let started = self.ctx.run(move || async move {
            announced.add(own);
            Ok(Json(own))
        });
        Ok(started.name(format!("start {key}")).await?.into_inner())
    }

    /// Asks a person, and awaits the answer or the end of the time limit.
    async fn ask<'f>(
        &self,
        directive: &Directive<P::Task>,
        flight: &mut InFlight<'f, P::Task>,
        keys: &'f Keys,
    ) -> Result<(), TerminalError>
    where
        'a: 'f,
    {
        let Action::AskHuman(question) = &directive.action else { return Ok(()) };
        let ctx: &'f WorkflowContext<'f> = self.ctx;
        let (id, key) = (directive.id, keys.add(directive.key.to_string()));
        let question = RawJson::<PendingQuestion>::new(&people::question(directive, question));
        let written = ctx.run(move || async move { Ok(Json(question?)) });
        let Json(question) = written.name(format!("ask {key}")).await?;
        let since = question.read().map_or(0, |question| question.since);
        self.set_status(directive.task, Activity::AsksPerson { call: key.to_owned() });
        ctx.set(QUESTION, Json(question));
        let answered = ctx.promise::<Json<SubmittedAnswer>>(key).map_ok(move |Json(given)| {
            let elapsed = Duration::from_millis(given.at.saturating_sub(since));
            (id, Event::Answered { id, answer: given.answer, elapsed })
        });
        flight.open_question(id, key.to_owned());
        flight.await_event((id, key.to_owned()), Box::pin(answered));
        if let Some(elapsed) = directive.timeout {
            let over = ctx.sleep(elapsed).map_ok(move |()| (id, Event::TimedOut { id, elapsed }));
            flight.await_event((id, key.to_owned()), Box::pin(over));
        }
        Ok(())
    }

    async fn wait(
        &self,
        &Directive { id, task, .. }: &Directive<P::Task>,
        duration: Duration,
        jitter: Duration,
    ) -> Step {
        let duration = self.jittered(duration, jitter);
        self.set_status(task, Activity::Waits { duration });
        self.ctx.sleep(duration).await?;
        Ok(Event::Woken { id })
    }

    /// Adds jitter to a duration. It is derived from the invocation, so that a replay has the same duration.
    fn jittered(&self, duration: Duration, jitter: Duration) -> Duration {
        let part = self.ctx.random_seed().wrapping_add(self.machine.steps()) % 1000;
        duration.saturating_add(jitter.mul_f64(part as f64 / 1000.0))
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

/// Returns the duration of a function.
const fn duration(event: &Event) -> Duration {
    match event {
        Event::Ran { elapsed, .. } | Event::TimedOut { elapsed, .. } => *elapsed,
        _ => Duration::ZERO,
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
