//! Runs as spans of the crate `tracing`, for the subscriber of the program.
//!
//! Neither prompts, replies, arguments nor results are recorded, but their sizes.

use std::sync::Arc;

use cot_engine::Event;
use cot_model::{FinishReason, ModelError, ModelReply, Usage};
use cot_store::{EndKind, RunId};
use tracing::{
    Id, Span, debug, debug_span, error, field::Empty, info, info_span, level_filters::LevelFilter,
    warn,
};

use crate::trace::{
    facts::{RunFacts, SpanFacts},
    instrument::{RunInstrument, RunSpan},
    span_event::{SpanEnd, SpanEvent},
};

/// Returns the instrument, if a subscriber listens.
pub(crate) fn instrument() -> Option<&'static dyn RunInstrument> {
    (LevelFilter::current() != LevelFilter::OFF).then_some(&TracingInstrument as _)
}

struct TracingInstrument;

/// A span, with the name of its run.
struct TracingSpan {
    run: Arc<RunId>,
    span: Span,
}

impl RunInstrument for TracingInstrument {
    fn start_run(&self, facts: &RunFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        let RunFacts { run_id, process, is_stored, is_resumed, caller, begun_in } = facts;
        let trace = caller.or(*begun_in).map(|context| u128::from_be_bytes(context.trace_id()));
        let span = info_span!(
            target: "cot::run", "run",
            run = %run_id, process, stored = is_stored, resumed = is_resumed, trace = Empty,
            task = Empty, end = Empty, reason = Empty, steps = Empty, calls = Empty,
            input_tokens = Empty, output_tokens = Empty, cost = Empty,
        );
        if let Some(trace) = trace {
            span.record("trace", format_args!("{trace:032x}"));
        }
        Some(Arc::new(TracingSpan { run: Arc::new((*run_id).clone()), span }))
    }
}

impl TracingSpan {
    /// Returns the parent of a span or an event; the program's own span if this one is filtered out.
    fn parent(&self) -> Option<Id> {
        self.span.id().or_else(|| Span::current().id())
    }

    fn start(&self, facts: &SpanFacts<'_>) -> Span {
        let (parent, run) = (self.parent(), &self.run);
        match facts {
            SpanFacts::Task(task) => info_span!(
                target: "cot::task", parent: parent, "task",
                run = %run, process = task.process, task = task.task, kind = task.kind,
                step = task.step, route = Empty, next = Empty,
            ),
            SpanFacts::Attempt(attempt) => info_span!(
                target: "cot::attempt", parent: parent, "attempt",
                run = %run, task = attempt.task, item = attempt.item, attempt = attempt.attempt,
                outcome = Empty,
            ),
            SpanFacts::Model(call) => info_span!(
                target: "cot::call", parent: parent, "call",
                run = %run, key = %call.key, kind = "model", engine = call.engine,
                model = call.model.model, prompt_bytes = call.request.prompt().len(),
                outcome = Empty, reply_bytes = Empty, tool_calls = Empty, input_tokens = Empty,
                cached_tokens = Empty, output_tokens = Empty, cost = Empty, error = Empty,
            ),
            SpanFacts::Function(call) => info_span!(
                target: "cot::call", parent: parent, "call",
                run = %run, key = %call.key,
                kind = if call.key.is_check() { "check" } else { "function" },
                outcome = Empty, error = Empty,
            ),
            SpanFacts::Person(call) => info_span!(
                target: "cot::call", parent: parent, "call",
                run = %run, key = %call.key, kind = "person", outcome = Empty, error = Empty,
            ),
            SpanFacts::Tool(call) => info_span!(
                target: "cot::tool", parent: parent, "tool",
                run = %run, key = %call.key, tool = call.tool,
                argument_bytes = call.call.map(|call| call.arguments.len()),
                outcome = Empty, error = Empty,
            ),
            SpanFacts::Commit(commit) => debug_span!(
                target: "cot::commit", parent: parent, "commit",
                run = %run, entries = commit.entries, step = commit.has_step, error = Empty,
            ),
        }
    }

    fn record_usage(&self, usage: &Usage) {
        let Usage { input_tokens, output_tokens, cost, .. } = *usage;
        self.span.record("input_tokens", input_tokens);
        self.span.record("output_tokens", output_tokens);
        self.span.record("cost", cost);
    }

    fn record_call(&self, event: &Event) {
        let outcome = match event {
            Event::Replied { reply, .. } => self.record_reply(reply),
            Event::Failed { error, .. } => self.record_error(error),
            Event::Ran { result: Err(error), .. } => {
                self.span.record("error", tracing::field::display(error));
                if error.is_panic() { "panicked" } else { "failed" }
            }
            Event::Ran { .. } => "returned",
            Event::Answered { .. } => "answered",
            Event::TimedOut { .. } => "timed_out",
            Event::Cancelled { .. } => "cancelled",
            _ => return,
        };
        self.span.record("outcome", outcome);
    }

    fn record_reply(&self, reply: &ModelReply) -> &'static str {
        self.span.record("reply_bytes", reply.text.len());
        self.span.record("tool_calls", reply.tool_calls.len());
        self.span.record("cached_tokens", reply.usage.cached_tokens);
        self.record_usage(&reply.usage);
        match reply.finish {
            FinishReason::Stop => "replied",
            FinishReason::Length => "truncated",
            FinishReason::Refusal => "refused",
        }
    }

    fn record_error(&self, error: &ModelError) -> &'static str {
        self.span.record("error", tracing::field::display(error));
        "failed"
    }
}

impl RunSpan for TracingSpan {
    fn start_child(&self, child: &SpanFacts<'_>) -> Option<Arc<dyn RunSpan>> {
        let span = self.start(child);
        if span.is_disabled() {
            return None;
        }
        Some(Arc::new(Self { run: Arc::clone(&self.run), span }))
    }

    fn enter(&self, poll: &mut dyn FnMut()) {
        self.span.in_scope(poll);
    }

    fn event(&self, event: &SpanEvent<'_>) {
        let parent = self.parent();
        match event {
            SpanEvent::FirstChunk => {
                debug!(target: "cot::call", parent: parent, "the reply begins");
            }
            SpanEvent::RateLimited(wait) => {
                info!(target: "cot::call", parent: parent, ?wait, "waits for the rate limit");
            }
            SpanEvent::Repaired { repairs } => {
                info!(target: "cot::attempt", parent: parent, repairs, "reply repaired");
            }
            SpanEvent::AttemptFailed { attempt, will_retry } => {
                let (failure, issues) = (attempt.failure, attempt.issues.len());
                warn!(
                    target: "cot::attempt", parent: parent,
                    ?failure, issues, will_retry, "attempt failed",
                );
            }
            SpanEvent::ItemFailed { item, .. } => {
                warn!(target: "cot::task", parent: parent, item, "item failed");
            }
            SpanEvent::BranchEnded { branch, outcome } => {
                let outcome = match outcome {
                    cot_engine::BranchOutcome::Joined => "joined",
                    cot_engine::BranchOutcome::Failed(_) => "failed",
                    cot_engine::BranchOutcome::Cancelled => "cancelled",
                };
                info!(target: "cot::task", parent: parent, branch, outcome, "branch ended");
            }
            SpanEvent::Asked(_) => {
                info!(target: "cot::task", parent: parent, "waits for a person");
            }
            SpanEvent::Waiting(wait) => {
                info!(target: "cot::task", parent: parent, ?wait, "waits for a timer");
            }
            SpanEvent::Paused => info!(target: "cot::run", parent: parent, "run paused"),
            SpanEvent::StateUpdated => {
                info!(target: "cot::run", parent: parent, "state changed from outside");
            }
            // The spans of attempts and tools say as much.
            SpanEvent::Committed { .. }
            | SpanEvent::Transitioned { .. }
            | SpanEvent::ToolCalled { .. }
            | SpanEvent::ToolReturned { .. } => {}
        }
    }

    fn end(&self, end: &SpanEnd<'_>) {
        let parent = self.parent();
        let Self { span, .. } = self;
        match end {
            SpanEnd::Run { how, task, reason, steps, usage, .. } => {
                span.record("task", task);
                span.record("steps", steps);
                span.record("calls", usage.calls);
                self.record_usage(usage);
                span.record("end", end_word(*how));
                if *how == EndKind::Halted {
                    span.record("reason", reason);
                    error!(target: "cot::run", parent: parent, task, reason, "run halted");
                } else {
                    info!(target: "cot::run", parent: parent, task, end = end_word(*how), "run ended");
                }
            }
            SpanEnd::Parked => {
                span.record("end", "parked");
                info!(target: "cot::run", parent: parent, "run parked in its store");
            }
            SpanEnd::RunError(error) => {
                span.record("end", "error");
                error!(target: "cot::run", parent: parent, %error, "run stopped");
            }
            SpanEnd::Task { next, route } => {
                span.record("route", tracing::field::display(route));
                if let Some(next) = next {
                    span.record("next", next);
                }
            }
            SpanEnd::Accepted => drop(span.record("outcome", "accepted")),
            SpanEnd::Failed(_) => drop(span.record("outcome", "failed")),
            SpanEnd::Call(event) => self.record_call(event),
            SpanEnd::Commit(Ok(())) => {}
            SpanEnd::Commit(Err(error)) => {
                span.record("error", tracing::field::display(error));
            }
            SpanEnd::Dropped => {
                // The fields that a span does not have are ignored.
                span.record("outcome", "dropped");
                span.record("end", "dropped");
            }
        }
    }
}

const fn end_word(how: EndKind) -> &'static str {
    match how {
        EndKind::End => "end",
        EndKind::Fail => "fail",
        EndKind::RanOut => "ran_out",
        EndKind::Halted => "halted",
        _ => "other",
    }
}
