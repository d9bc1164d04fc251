//! A round: the calls of one reply.

use std::{mem, time::Duration};

use cot_model::{ToolCall, ToolResult, ToolRound, Usage};
use cot_reader::internal::Repairs;
use cot_schema::{Issues, internal::truncate};
use serde_json::Value;

use super::{
    approval::{ApprovalAnswer, ApprovalWait},
    call::CallOutcome,
    conversation::ToolConversation,
    failure::{RoundFailure, TooManyCalls},
    numbered_call::NumberedCall,
    pending_round::{CallingReply, PendingRound, RoundCall},
    progress::{CallProgress, RunningCall},
    resolve::ReadArguments,
};
use crate::{
    process::tool::bounds::MAX_TOOL_BYTES,
    protocol::{
        directive::Directive, event::Event, open_calls::OpenCalls, run_event::event::RunEvent,
    },
    run::{attempts::Attempts, context::RunContext, limits::timeout_reason},
};

/// Maximum length of the name of a tool that is kept.
const MAX_NAME_BYTES: usize = 200;

/// What follows from an event for the round.
pub(crate) enum RoundOutcome {
    /// The event answers none of the calls.
    Stale,
    /// Calls are pending.
    Pending,
    /// A person's answer was not valid.
    Refused(Issues),
    /// Every call is answered.
    Complete,
    Failed(RoundFailure),
}

/// Rounds.
impl ToolConversation {
    /// Starts the calls of a reply. Returns whether all of them are answered at once.
    pub(crate) fn start_round(
        &mut self,
        reply: CallingReply,
        cx: &mut RunContext<'_>,
    ) -> Result<bool, TooManyCalls> {
        let CallingReply { mut text, calls, .. } = reply;
        let count = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        let max = Self::max_calls(cx.facts, cx.visit.task);
        if count > max.saturating_sub(self.calls) {
            let is_reply = cx.facts.definition.task(cx.visit.task).kind.calls().is_none();
            let maker = if is_reply { "the reply" } else { "the task" };
            return Err(TooManyCalls { maker, count, earlier: self.calls, max });
        }
        text.truncate(truncate(&text, MAX_TOOL_BYTES).len());
        let is_held = cx.facts.definition.task(cx.visit.task).kind.calls().is_some();
        let first = self.calls + 1;
        self.calls += count;
        let mut round = PendingRound { text, first, calls: Vec::with_capacity(calls.len()) };
        for mut call in calls {
            let number = round.number(round.calls.len());
            let (arguments, progress, rewritten) = match self.read_call(&call, cx) {
                Ok(ReadArguments { value, repairs, rewritten }) => {
                    emit_repairs(repairs, cx);
                    (value, CallProgress::Waiting, rewritten)
                }
                Err(error) => {
                    let unread = call.object_arguments().into_owned();
                    (Value::Null, CallProgress::Answered(error), Some(unread))
                }
            };
            // The model receives what was executed, in the form that engines require.
            call.arguments = rewritten.filter(|_| !is_held).unwrap_or(call.arguments);
            bound_call(&mut call, is_held);
            emit_called(number, &call, cx);
            if let CallProgress::Answered(result) = &progress {
                emit_returned((number, &call), result, Duration::ZERO, cx);
            }
            round.calls.push(RoundCall { call, arguments, progress });
        }
        let is_complete = self.start_next(&mut round, cx);
        self.pending = Some(round);
        Ok(is_complete)
    }

    /// Starts the calls whose turn has come. Returns whether all are answered.
    ///
    /// A call that is not free waits until no other call is pending.
    fn start_next(&self, round: &mut PendingRound, cx: &mut RunContext<'_>) -> bool {
        let max = cx.facts.tool_concurrency(cx.visit.task);
        let mut pending = round.counts().all;
        if pending >= max.unwrap_or(1) {
            return false;
        }
        let waiting = round.calls.iter_mut();
        let mut waiting =
            waiting.filter(|call| matches!(call.progress, CallProgress::Waiting)).peekable();
        if waiting.peek().is_none() {
            return pending == 0;
        }
        let mut queued = None;
        for call in waiting {
            if max.is_some_and(|max| pending >= max) {
                break;
            }
            let rules = self.rules(&call.call, cx);
            if rules.is_free() {
                call.progress = CallProgress::Running(RunningCall::begin(cx));
                pending += 1;
            } else if queued.is_none() {
                queued = Some((call, rules));
            }
        }
        if let Some((call, rules)) = queued.filter(|_| pending == 0) {
            call.progress = match rules.needs_approval {
                true => CallProgress::Asking(ApprovalWait::begin(cx)),
                false => CallProgress::Running(RunningCall::begin(cx)),
            };
        }
        false
    }

    /// Returns the directives of the pending calls, in the order of their ids.
    pub(crate) fn directives(
        &mut self,
        task: &Attempts,
        cx: &mut RunContext<'_>,
    ) -> Vec<Directive> {
        let Some(mut round) = self.pending.take() else { return Vec::new() };
        let mut due = Vec::new();
        for position in 0..round.calls.len() {
            let number = round.number(position);
            let RoundCall { call, arguments, progress } = &mut round.calls[position];
            let call = NumberedCall { call, arguments, number };
            due.extend(match progress {
                CallProgress::Waiting | CallProgress::Answered(_) => None,
                CallProgress::Running(running) => Some(running.directive(call, self, task, cx)),
                CallProgress::Asking(wait) => {
                    let tool = self.find(call.call).and_then(|index| self.tools.get(index));
                    Some(wait.directive(call, tool, task, cx))
                }
            });
        }
        due.sort_by_key(|directive| directive.id);
        self.pending = Some(round);
        due
    }

    /// Applies an event to the pending round. `task` has the time of the task, to which that of the calls is
    /// added.
    pub(crate) fn handle(
        &mut self,
        event: Event,
        task: &mut Attempts,
        cx: &mut RunContext<'_>,
    ) -> RoundOutcome {
        let Some(mut round) = self.pending.take() else { return RoundOutcome::Stale };
        let id = event.id();
        let position = round.calls.iter().position(|call| call.progress.id() == id);
        let outcome = match position.filter(|_| id.is_some()) {
            Some(position) => self.handle_call(position, &mut round, event, task, cx),
            None => RoundOutcome::Stale,
        };
        self.pending = Some(round);
        if matches!(outcome, RoundOutcome::Complete) {
            self.complete_round();
        }
        outcome
    }

    fn handle_call(
        &mut self,
        position: usize,
        round: &mut PendingRound,
        event: Event,
        task: &mut Attempts,
        cx: &mut RunContext<'_>,
    ) -> RoundOutcome {
        let number = round.number(position);
        let RoundCall { call, progress, .. } = &mut round.calls[position];
        let (result, elapsed) = match progress {
            CallProgress::Waiting | CallProgress::Answered(_) => return RoundOutcome::Stale,
            CallProgress::Running(running) => {
                let policy = self.rules(call, cx).policy;
                let outcome = running.handle(event, &policy, task, cx);
                let (run, elapsed) = (running.run_time(), running.elapsed());
                self.add_time(run.saturating_sub(cx.facts.elapsed), task, cx);
                match outcome {
                    CallOutcome::Stale => return RoundOutcome::Stale,
                    CallOutcome::Proceed => return RoundOutcome::Pending,
                    CallOutcome::Failed(failure) => return RoundOutcome::Failed(failure),
                    CallOutcome::Answered(result) => (result, elapsed),
                }
            }
            CallProgress::Asking(wait) => match event {
                Event::Answered { answer, elapsed, .. } => {
                    task.add_time(elapsed);
                    match wait.answer(answer, cx) {
                        ApprovalAnswer::Refused(issues) => return RoundOutcome::Refused(issues),
                        ApprovalAnswer::Denied(result) => (result, Duration::ZERO),
                        ApprovalAnswer::Approved => {
                            if let Some(failure) = RoundFailure::limit(task, cx) {
                                return RoundOutcome::Failed(failure);
                            }
                            *progress = CallProgress::Running(RunningCall::begin(cx));
                            return RoundOutcome::Pending;
                        }
                    }
                }
                Event::TimedOut { elapsed, .. } => {
                    let limit = cx.facts.time_for_person(cx.visit.task, task.spent);
                    task.add_time(elapsed);
                    return RoundOutcome::Failed(RoundFailure::timed_out(timeout_reason(limit)));
                }
                _ => return RoundOutcome::Stale,
            },
        };
        emit_returned((number, call), &result, elapsed, cx);
        *progress = CallProgress::Answered(result);
        let is_over = round.calls.iter().all(|call| call.progress.is_answered());
        if !is_over && let Some(failure) = RoundFailure::limit(task, cx) {
            return RoundOutcome::Failed(failure);
        }
        match self.start_next(round, cx) {
            true => RoundOutcome::Complete,
            false => RoundOutcome::Pending,
        }
    }

    /// Adds time to the run, the task, and the cost of the rounds.
    fn add_time(&mut self, elapsed: Duration, task: &mut Attempts, cx: &mut RunContext<'_>) {
        cx.facts.add_time(elapsed);
        task.add_time(elapsed);
        self.add_cost(Usage::default(), elapsed);
    }

    /// Drops the pending round, and says of each call without an answer why it has none.
    pub(crate) fn drop_round(&mut self, why: &str, cx: &mut RunContext<'_>) {
        let Some(round) = self.pending.take() else { return };
        for (position, RoundCall { call, progress, .. }) in round.calls.iter().enumerate() {
            if !progress.is_answered() {
                let result = ToolResult::error(why);
                emit_returned((round.number(position), call), &result, Duration::ZERO, cx);
            }
        }
    }

    /// Moves the pending round, whose calls are all answered, to the complete ones.
    pub(crate) fn complete_round(&mut self) {
        let Some(PendingRound { text, calls, .. }) = self.pending.take() else { return };
        let calls =
            calls.into_iter().filter_map(|RoundCall { call, progress, .. }| match progress {
                CallProgress::Answered(result) => Some((call, result)),
                _ => None,
            });
        self.rounds.push(ToolRound::new(text, calls.collect()));
    }
}

/// Bounds what is kept of a call. Arguments that are too long were refused. The program finds the results of calls that
/// its state holds by their ids, which stay as they are.
fn bound_call(call: &mut ToolCall, is_held: bool) {
    call.name.truncate(truncate(&call.name, MAX_NAME_BYTES).len());
    if !is_held {
        call.id.truncate(truncate(&call.id, MAX_NAME_BYTES).len());
    }
    let bytes = call.arguments.len();
    if bytes > MAX_TOOL_BYTES {
        drop(mem::take(&mut call.arguments));
        call.arguments = format!(r#"{{"omitted":"{bytes} bytes"}}"#);
    }
}

fn emit_repairs(repairs: Repairs, cx: &mut RunContext<'_>) {
    if repairs.is_empty() {
        return;
    }
    let (task, attempt) = (cx.visit.task, cx.facts.attempt);
    cx.host.emit(|| {
        let repairs = repairs.into_repairs();
        RunEvent::Repaired { task, item: None, attempt, repairs }
    });
}

fn emit_called(number: u32, call: &ToolCall, cx: &mut RunContext<'_>) {
    let task = cx.visit.task;
    cx.host.emit(|| {
        let (tool, arguments) = (call.name.clone(), call.arguments.clone());
        RunEvent::ToolCalled { task, call: number, tool, arguments }
    });
}

fn emit_returned(
    (number, call): (u32, &ToolCall),
    result: &ToolResult,
    elapsed: Duration,
    cx: &mut RunContext<'_>,
) {
    let task = cx.visit.task;
    cx.host.emit(|| {
        let text = result.text.clone();
        let result = if result.is_error { Err(text) } else { Ok(text) };
        RunEvent::ToolReturned { task, call: number, tool: call.name.clone(), result, elapsed }
    });
}
