//! The loop: what the machine directs is done through the journal, and what came of it is handed in.

use std::{fmt, sync::Arc, time::Duration};

use cot_core::{
    Action, Directive, Event, FunctionCall, Handled, Machine, MachinePoll, ModelCall, Models,
    Process, Question, TaskId,
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
    coming::Coming,
    flight::Flight,
    people::{self, Given, QUESTION, Verdict},
    perform,
    request::Request,
    status::STATUS,
    wire::{Doing, Ended, Outcome, Status, Waiting, Written},
};

/// How many calls in flight the status lists by their keys. Bounds the status, which is written whenever calls
/// start.
const MAX_CALLS_TOLD: usize = 100;

/// What comes of a step; an error is the cancellation of the run.
type Step = Result<Event, TerminalError>;

/// A run on this node.
pub(crate) struct Drive<'a, P: Process> {
    ctx: &'a WorkflowContext<'a>,
    models: &'a Models,
    service: &'static str,
    process: String,
    machine: Machine<P>,
}

impl<'a, P: Process> Drive<'a, P> {
    pub(crate) fn new(
        ctx: &'a WorkflowContext<'a>,
        models: &'a Models,
        service: &'static str,
        process: String,
        machine: Machine<P>,
    ) -> Self {
        Self { ctx, models, service, process, machine }
    }

    /// Goes on until the run is over.
    pub(crate) async fn finish(mut self) -> HandlerResult<Written<Ended<P::State>>> {
        let mut flight = Flight::default();
        loop {
            let MachinePoll::Waiting(new) = self.machine.poll_after(flight.newest()) else {
                flight.keep(&self.machine, 0);
                return self.end().await;
            };
            let new = new.to_vec();
            flight.keep(&self.machine, new.len());
            let question = question(&new);
            let step = self.perform(&new, &mut flight).await;
            let event = step.unwrap_or_else(|error| Event::Cancelled {
                reason: format!("by way of Restate: {}", error.message()),
            });
            let is_answer = matches!(event, Event::Answered { .. });
            let handled = self.machine.handle(event);
            if handled == Handled::Stale {
                return Err(HandlerError::from(OtherPath));
            }
            if let Some(call) = question {
                let verdict = Verdict::of(&handled, is_answer);
                self.ctx.resolve_promise(&Verdict::promise(&call), Json(verdict));
            }
        }
    }

    /// Performs what is not in flight yet, and waits for the first that comes back.
    async fn perform(&self, new: &[Directive<P::Task>], flight: &mut Flight<'a>) -> Step {
        let directive = match new {
            [only] if only.key.item().is_none() => only,
            items => return self.call_all(items, flight).await,
        };
        match &directive.action {
            Action::CallModel(call) => self.call(directive, call).await,
            Action::RunFunction(call) => self.run(directive, call).await,
            Action::AskHuman(question) => self.ask(directive, question).await,
            Action::Sleep { duration, jitter } => self.wait(directive, *duration, *jitter).await,
            other => Err(TerminalError::new(format!("this driver does not know {other:?}"))),
        }
    }

    async fn call(&self, directive: &Directive<P::Task>, call: &ModelCall) -> Step {
        let key = directive.key.to_string();
        self.tell(directive.task, Doing::AsksModel { call: key.clone() });
        let (models, engine) = (self.models, call.engine);
        let (request, id) = (Arc::clone(&call.request), (directive.id, directive.timeout));
        let asked =
            move || async move { Ok(Json(perform::ask(models, engine, request, id).await)) };
        Ok(self.ctx.run(asked).name(key).await?.into_inner())
    }

    /// Begins calls beside those in flight, and waits for the first that comes back.
    async fn call_all(&self, new: &[Directive<P::Task>], flight: &mut Flight<'a>) -> Step {
        if let Some(first) = new.first() {
            let begun = new.iter().map(|call| call.key.to_string());
            let calls = flight.keys().map(str::to_owned).chain(begun).take(MAX_CALLS_TOLD);
            let in_flight = flight.len() + new.len();
            self.tell(first.task, Doing::AsksModels { calls: calls.collect(), in_flight });
            // What is in a prompt may come out differently when it is written anew.
            let prompts = format!("prompts of {}", first.key);
            let requests: Vec<_> = new.iter().filter_map(Request::of).collect();
            let written = self.ctx.run(move || async move { Ok(Json(requests)) }).name(prompts);
            let Json(requests) = written.await?;
            let target = RequestTarget::workflow(self.service, self.ctx.key(), "call");
            flight.begin(self.ctx, &target, requests).await?;
        }
        flight.next().await
    }

    async fn run(&self, directive: &Directive<P::Task>, call: &FunctionCall) -> Step {
        let key = directive.key.to_string();
        self.tell(directive.task, Doing::RunsCode { call: key.clone() });
        let (id, limit, function) = (directive.id, directive.timeout, call.run());
        let ran = move || async move { Ok(Json(perform::run(id, limit, function).await)) };
        Ok(self.ctx.run(ran).name(key).await?.into_inner())
    }

    async fn ask(&self, directive: &Directive<P::Task>, question: &Question) -> Step {
        let key = directive.key.to_string();
        let question = Written::<Waiting>::new(&people::question(directive, question));
        let written = self.ctx.run(move || async move { Ok(Json(question?)) });
        let Json(question) = written.name(format!("ask {key}")).await?;
        let since = question.read().map_or(0, |question| question.since);
        self.tell(directive.task, Doing::AsksPerson { call: key.clone() });
        self.ctx.set(QUESTION, Json(question));
        let step = first_of(self.answer_or_time(directive, &key, since)).await;
        self.ctx.clear(QUESTION);
        step
    }

    fn answer_or_time<'b>(
        &'b self,
        directive: &Directive<P::Task>,
        key: &'b str,
        since: u64,
    ) -> Vec<Coming<'b, Event>> {
        let ctx: &'b WorkflowContext<'b> = self.ctx;
        let id = directive.id;
        let answered = ctx.promise::<Json<Given>>(key).map_ok(move |Json(given)| {
            let elapsed = Duration::from_millis(given.at.saturating_sub(since));
            Event::Answered { id, answer: given.answer, elapsed }
        });
        let mut coming: Vec<Coming<'b, Event>> = vec![Box::pin(answered)];
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
        // Of the invocation, and so the same when it is replayed.
        let part = self.ctx.random_seed().wrapping_add(self.machine.steps()) % 1000;
        let duration = duration.saturating_add(jitter.mul_f64(part as f64 / 1000.0));
        self.tell(task, Doing::Waits { duration });
        self.ctx.sleep(duration).await?;
        Ok(Event::Woken { id })
    }

    async fn end(&self) -> HandlerResult<Written<Ended<P::State>>> {
        let machine = &self.machine;
        let (Some(ending), Some(state), Some(task)) =
            (machine.ending(), machine.state(), machine.task())
        else {
            return Err(HandlerError::from(OtherPath));
        };
        let (outcome, usage, steps) = (Outcome::from(ending), machine.usage(), machine.steps());
        let ended = Written::new(&Ended { outcome, state, usage, steps })?;
        let ended = match self.write_end(ended.clone()).await {
            Ok(ended) => ended,
            // A cancellation that comes now is too late.
            Err(_) => self.write_end(ended).await?,
        };
        self.tell(task, Doing::Ended);
        Ok(ended)
    }

    async fn write_end<T: 'static>(&self, ended: Written<T>) -> Result<Written<T>, TerminalError> {
        let written = self.ctx.run(move || async move { Ok(Json(ended)) }).name("end");
        Ok(written.await?.into_inner())
    }

    /// Has the status handler tell what is being done.
    fn tell(&self, task: P::Task, doing: Doing) {
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

/// The question that is asked, by its call.
fn question<T>(directives: &[Directive<T>]) -> Option<String> {
    let asked = directives.iter().find(|directive| directive.as_question().is_some())?;
    Some(asked.key.to_string())
}

async fn first_of(coming: Vec<Coming<'_, Event>>) -> Step {
    let mut coming: DurableFuturesUnordered<_> = coming.into_iter().collect();
    match coming.next().await? {
        Some((_, step)) => step,
        None => Err(TerminalError::new("nothing was waited for")),
    }
}

/// The process takes another path than the journal: a function of it is not deterministic, or has
/// changed in a way that no fingerprint shows.
#[derive(thiserror::Error)]
#[error(
    "the process takes another path than its journal: something in it depends on more than its state \
     and its answers, or has changed since the run was started"
)]
struct OtherPath;

// The SDK tells errors by their `Debug`.
impl fmt::Debug for OtherPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
