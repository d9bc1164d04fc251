//! Handles replies of models: their meaning, and the next step of the question.

use std::time::Duration;

use cot_model::{FinishReason, ModelErrorKind, ModelReply, Usage};
use cot_reader::internal::{Rejection, Repairs, ValidReading, has_call_mark, read_reply};
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    process::{host::ProcessHost, tables::TaskIndex},
    protocol::{event::Event, run_event::event::RunEvent},
    reply::{
        bounds::truncate_reply,
        expected::ExpectedReply,
        menu::{Interpretation, Menu, interpret_reasoning},
    },
    run::{
        attempts::{FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts},
        limits::{Lane, timeout_reason},
        phase::{question::ModelQuestion, tools::resolve::BROKEN_OFF},
    },
    values::{
        outcome::{Failure, HaltReason},
        panicked::PanicPlace,
    },
};

/// Maximum length of a reply that is parsed, far above the output limits of models.
const MAX_READ_BYTES: usize = 1 << 20;

/// The answer to a model call.
pub(crate) enum CallAnswer {
    Reply(ModelReply),
    /// No reply, with the reason.
    None(HaltReason),
    /// The pause before the call is over.
    Woken,
}

/// A reply, and its cost including the rounds before it.
#[derive(Clone, Copy)]
pub(crate) struct ReceivedReply<'t> {
    pub(crate) reply: &'t ModelReply,
    pub(crate) cost: ReplyCost<'t>,
}

/// Why a reply was not accepted.
pub(crate) struct Unaccepted {
    issues: Issues,
    /// Whether the reader of the program found no output in the reply.
    is_unread: bool,
}

impl From<Issues> for Unaccepted {
    fn from(issues: Issues) -> Self {
        Self { issues, is_unread: false }
    }
}

impl Unaccepted {
    /// The reader of the program found no output in the reply.
    pub(crate) const fn unread(issues: Issues) -> Self {
        Self { issues, is_unread: true }
    }
}

/// The result of an answer for its question.
pub(crate) enum ReplyOutcome<T> {
    /// The reply was accepted.
    Accepted(T),
    /// The question is asked again.
    Retrying,
    /// The question failed: no retry is left.
    Failed(HaltReason),
}

impl<T> ReplyOutcome<T> {
    fn retrying_unless(given_up: Option<HaltReason>) -> Self {
        given_up.map_or(Self::Retrying, Self::Failed)
    }
}

impl ModelQuestion {
    /// Returns the answer that an event contains and its duration, or `None` if the event does not answer
    /// this call. `run` is the elapsed time of the run without the call.
    pub(crate) fn answer_from(
        &self,
        event: Event,
        run: Duration,
        cx: &RunContext<'_>,
    ) -> Option<(CallAnswer, Duration)> {
        event.id().filter(|id| *id == self.id)?;
        let task = cx.visit.task;
        Some(match event {
            Event::Woken { .. } if self.is_pausing => (CallAnswer::Woken, Duration::ZERO),
            _ if self.is_pausing => return None,
            Event::Replied { reply, elapsed, .. } => (CallAnswer::Reply(reply), elapsed),
            Event::Ran { result, elapsed, .. } if self.mock.is_some() => {
                let answer = result.unwrap_or_default();
                let reply = mock_reply(cx.facts.reasons(task) || self.reads_mock, answer);
                (CallAnswer::Reply(reply), elapsed)
            }
            // The driver watches replies with code of the process.
            Event::Ran { result: Err(error), elapsed, .. } if error.is_panic() => {
                (CallAnswer::None(cx.function_failure(error, PanicPlace::Until)), elapsed)
            }
            Event::Failed { error, elapsed, .. } => {
                (CallAnswer::None(HaltReason::Unreachable(error)), elapsed)
            }
            Event::TimedOut { elapsed, .. } => {
                let limit = cx.facts.time_left(task, self.attempts.spent, run);
                (CallAnswer::None(timeout_reason(limit)), elapsed)
            }
            _ => return None,
        })
    }

    /// Applies an answer. `accept` handles a reply that the model finished, or one that the program reads itself.
    pub(crate) fn receive<T>(
        &mut self,
        (answer, elapsed): (CallAnswer, Duration),
        lane: Lane,
        cx: &mut RunContext<'_>,
        accept: impl FnOnce(&Self, ReceivedReply<'_>, &mut RunContext<'_>) -> Result<T, Unaccepted>,
    ) -> ReplyOutcome<T> {
        cx.facts.attempt = self.attempts.number();
        self.attempts.add_time(elapsed);
        self.request = None;
        match answer {
            CallAnswer::Reply(reply) => self.handle_reply(&reply, elapsed, lane, cx, accept),
            CallAnswer::None(reason) => self.handle_failure(reason, elapsed, lane, cx),
            CallAnswer::Woken => {
                self.resume_asking(cx.facts);
                ReplyOutcome::Retrying
            }
        }
    }

    fn handle_reply<T>(
        &mut self,
        reply: &ModelReply,
        elapsed: Duration,
        lane: Lane,
        cx: &mut RunContext<'_>,
        accept: impl FnOnce(&Self, ReceivedReply<'_>, &mut RunContext<'_>) -> Result<T, Unaccepted>,
    ) -> ReplyOutcome<T> {
        let usage = reply.usage.normalize_cost();
        cx.facts.usage += usage;
        let cost = self.with_cost_of_rounds(ReplyCost { text: &reply.text, usage, elapsed });
        let is_read = match reply.finish {
            FinishReason::Stop => true,
            // A format of the program's own may show that nothing is missing.
            FinishReason::Length => cx.facts.reads(cx.visit.task),
            FinishReason::Refusal => false,
        };
        if is_read {
            match accept(self, ReceivedReply { reply, cost }, cx) {
                Ok(accepted) => return ReplyOutcome::Accepted(accepted),
                Err(Unaccepted { issues, is_unread }) => {
                    cx.host.discard_output();
                    if reply.finish == FinishReason::Stop || !is_unread {
                        let blocker = self.reject(cost, issues, lane, cx);
                        return ReplyOutcome::retrying_unless(blocker);
                    }
                }
            }
        }
        let (failure, reason, what) = match reply.finish {
            FinishReason::Refusal => {
                let reason = HaltReason::Refused(truncate_reply(&reply.text));
                (Failure::Refused, reason, "the model refused to answer")
            }
            FinishReason::Length | FinishReason::Stop => {
                let what = "the reply was cut off by the limit of tokens";
                (Failure::Truncated, HaltReason::Truncated, what)
            }
        };
        let failed = FailedAttempt { failure, reply: cost, issues: Issues::at("$", what) };
        ReplyOutcome::retrying_unless(self.fall_back(failed, reason, lane, cx))
    }

    fn handle_failure<T>(
        &mut self,
        reason: HaltReason,
        elapsed: Duration,
        lane: Lane,
        cx: &mut RunContext<'_>,
    ) -> ReplyOutcome<T> {
        let usage = usage_of(&reason);
        cx.facts.usage += usage;
        let reply = self.with_cost_of_rounds(ReplyCost { text: "", usage, elapsed });
        // What the model wrote reached the server, which rejected it.
        if let HaltReason::Unreachable(error) = &reason
            && *error.kind() == ModelErrorKind::Rejected
        {
            let blocker = self.reject(reply, Issues::at("$", error.to_string()), lane, cx);
            return ReplyOutcome::retrying_unless(blocker);
        }
        let issues = Issues::at("$", reason.to_string());
        let failure = match reason {
            HaltReason::Unreachable(_) => Failure::Unreachable,
            HaltReason::Panicked(_) => Failure::Failed,
            _ => Failure::TimedOut,
        };
        let failed = FailedAttempt { failure, reply, issues };
        ReplyOutcome::retrying_unless(self.fall_back(failed, reason, lane, cx))
    }
}

/// Interpreting replies.
impl ModelQuestion {
    /// Returns the meaning of a reply. An output then matches its schema.
    pub(crate) fn interpret<'t>(
        &self,
        reply: ReplyCost<'t>,
        cx: &mut RunContext<'_>,
    ) -> Result<Interpretation<'t>, Issues> {
        check_length(reply.text)?;
        let may_call = self.tools.is_some() && has_call_mark(reply.text);
        if cx.facts.reasons(cx.visit.task) && !may_call {
            return interpret_reasoning(reply.text);
        }
        let expected = self.expected(cx.facts, cx.visit.task, cx.host);
        if let Some(answer) = expected.read_plain(reply.text) {
            return Ok(answer);
        }
        match read_reply(reply.text, &expected, true) {
            Ok(ValidReading { value, repairs }) => {
                // The braces around a call may be missing, but nothing of its arguments.
                let is_completed = repairs.complete_under(1);
                self.emit_repairs(repairs, cx);
                match expected.interpret(value)? {
                    Interpretation::Calls(_) if is_completed => Err(Issues::at("$", BROKEN_OFF)),
                    answer => Ok(answer),
                }
            }
            Err(Rejection { issues, repairs, value }) => {
                self.emit_repairs(repairs, cx);
                let value = value.and_then(|value| expected.valid_output(*value));
                Err(self.with_check_issues(issues, value, cx))
            }
        }
    }

    /// Reads a reply with the function of the task, or the answer of its mock, into the pending output.
    pub(crate) fn read_own(
        &self,
        reply: &ModelReply,
        cx: &mut RunContext<'_>,
    ) -> Result<(), Unaccepted> {
        if self.mock.is_some() && !self.reads_mock {
            let output = serde_json::from_str(&reply.text);
            let output = output.map_err(|error| Issues::at("$", error.to_string()))?;
            return Ok(cx.read(UntypedOutput::Value(output))?);
        }
        let read = check_length(&reply.text).and_then(|()| cx.read_reply(reply));
        read.map_err(Unaccepted::unread)?;
        Ok(cx.check_read()?)
    }

    fn expected(
        &self,
        facts: &RunFacts,
        task: TaskIndex,
        host: &dyn ProcessHost,
    ) -> ExpectedReply<'_> {
        let output = host.output_schema(task);
        let transitions = facts.ai(task).map_or(&[][..], |ai| ai.transitions);
        let (tasks, visible) = (facts.definition.tasks, &*self.visible);
        let menu = Menu { tasks, transitions, visible, has_output: output.is_some() };
        let tools = self.tools.as_ref().map_or(&[][..], |tools| &tools.tools);
        ExpectedReply { menu, output, tools }
    }

    fn emit_repairs(&self, repairs: Repairs, cx: &mut RunContext<'_>) {
        if !repairs.is_empty() {
            let (task, item, attempt) = (cx.visit.task, self.item, self.attempts.number());
            cx.host.emit(|| {
                let repairs = repairs.into_repairs();
                RunEvent::Repaired { task, item, attempt, repairs }
            });
        }
    }

    /// Adds the issues that the checks of the process find.
    fn with_check_issues(
        &self,
        mut issues: Issues,
        value: Option<Value>,
        cx: &mut RunContext<'_>,
    ) -> Issues {
        let Some(value) = value else {
            return issues;
        };
        let scope = cx.facts.scope(cx.visit, self.item);
        let checked = match self.item {
            Some(_) => cx.host.read_item(cx.visit.task, UntypedOutput::Value(value), &scope),
            None => cx.host.read_output(cx.visit.task, UntypedOutput::Value(value), &scope),
        };
        issues.extend(checked.err().into_iter().flatten());
        issues
    }
}

/// Returns the usage of a call without a reply, as far as it is known.
fn usage_of(reason: &HaltReason) -> Usage {
    let known = match reason {
        HaltReason::Unreachable(error) => error.usage(),
        _ => None,
    };
    known.unwrap_or(Usage::uncounted_call()).normalize_cost()
}

/// Refuses a reply that is too long to be read.
fn check_length(text: &str) -> Result<(), Issues> {
    let length = text.len();
    if length <= MAX_READ_BYTES {
        return Ok(());
    }
    let message = format!("the reply has {length} bytes: at most {MAX_READ_BYTES} are read");
    Err(Issues::at("$", message))
}

/// Converts a mock answer into a model reply without usage.
fn mock_reply(is_text: bool, answer: Value) -> ModelReply {
    let reply = match answer {
        Value::String(text) if is_text => ModelReply::new(text),
        answer => ModelReply::from(answer),
    };
    reply.usage(Usage::default())
}
