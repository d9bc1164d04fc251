//! The phase of an AI task.

use std::time::Duration;

use cot_model::{FunctionError, ModelReply, ToolCall};
use cot_schema::Issues;
use serde_json::Value;

use crate::{
    process::{child::DueDirectives, tables::TaskIndex},
    protocol::{
        directive::{Action, FunctionCall},
        event::Event,
        open_calls::OpenCalls,
    },
    reply::menu::Interpretation,
    run::{
        attempts::{FailedAttempt, ReplyCost},
        context::{RunContext, RunView},
        end::{PhaseHandled, TaskEnd},
        limits::timeout_reason,
        phase::{
            pending_check::{CheckVerdict, PendingCheck, validate_unchecked},
            question::ModelQuestion,
            reply::{ReceivedReply, ReplyOutcome, Unaccepted},
            task_phase::TaskPhase,
            tools::pending_round::CallingReply,
        },
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData},
        error::SnapshotError,
    },
    values::outcome::{Attempt, Failure, HaltReason},
};

/// Waits for a model, or for the async `check` of its output.
#[derive(Debug)]
pub(crate) struct ModelPhase {
    question: ModelQuestion,
    /// The output that an async `check` is checking.
    checking: Option<Box<PendingCheck>>,
}

/// The result of accepting a reply.
enum AcceptedReply {
    End(TaskEnd),
    /// A valid output that an async `check` has to accept first.
    Unchecked(Box<PendingCheck>),
    /// Calls of tools, whose results the model receives first.
    Calls(Box<CallingReply>),
}

impl ModelPhase {
    /// Starts to ask, or takes the only open transition of a task that asks for nothing else.
    pub(crate) fn begin(cx: &mut RunContext<'_>) -> Result<Self, TaskEnd> {
        let id = cx.facts.new_call();
        let question = ModelQuestion::new((id, None), cx.view());
        match only_choice(&question.visible, cx) {
            Some((index, go_to)) => Err(cx.only_transition(index, go_to)),
            None => Ok(Self { question, checking: None }),
        }
    }

    pub(crate) fn restore(question: ModelQuestion, checking: Option<PendingCheck>) -> Self {
        Self { question, checking: checking.map(Box::new) }
    }

    fn finish(
        &mut self,
        received: ReplyOutcome<AcceptedReply>,
        cx: &mut RunContext<'_>,
    ) -> PhaseHandled {
        PhaseHandled::applied(match received {
            ReplyOutcome::Accepted(AcceptedReply::End(end)) => Some(end),
            ReplyOutcome::Accepted(AcceptedReply::Unchecked(checking)) => {
                self.question.ask_again(cx.facts);
                self.checking = Some(checking);
                None
            }
            ReplyOutcome::Accepted(AcceptedReply::Calls(reply)) => {
                self.question.start_round(*reply, cx)
            }
            ReplyOutcome::Retrying => None,
            ReplyOutcome::Failed(reason) => Some(TaskEnd::failed(reason, self.take_attempts())),
        })
    }

    fn handle_check(
        &mut self,
        checking: Box<PendingCheck>,
        event: Event,
        cx: &mut RunContext<'_>,
    ) -> PhaseHandled {
        let is_own = event.id() == Some(self.question.id);
        cx.facts.attempt = self.question.attempts.number();
        match event {
            Event::Ran { result, elapsed, .. } if is_own => {
                self.add_time(elapsed, cx);
                PhaseHandled::applied(self.apply_check(&checking, result, elapsed, cx))
            }
            Event::TimedOut { elapsed, .. } if is_own => {
                let spent = self.question.attempts.spent;
                let limit = cx.facts.time_left(cx.visit.task, spent, cx.facts.elapsed);
                let reason = timeout_reason(limit);
                self.add_time(elapsed, cx);
                let issues = Issues::at("$", reason.to_string());
                let reply = checking.reply(elapsed);
                let failed = FailedAttempt { failure: Failure::TimedOut, reply, issues };
                PhaseHandled::applied(Some(self.fail(failed, reason, cx)))
            }
            // Other events are stale: the reply was received, and its check is pending.
            _ => {
                self.checking = Some(checking);
                PhaseHandled::STALE
            }
        }
    }

    fn apply_check(
        &mut self,
        checking: &PendingCheck,
        result: Result<Value, FunctionError>,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let reply = checking.reply(elapsed);
        self.question.note_results(cx);
        match checking.apply(result, reply, self.question.history_of_tools(cx), cx) {
            CheckVerdict::Committed(end) => Some(end),
            CheckVerdict::Rejected(issues) => {
                let blocker = self.question.reject(reply, issues, cx.facts.only_lane(), cx)?;
                Some(TaskEnd::failed(blocker, self.take_attempts()))
            }
            CheckVerdict::Failed { issues, reason } => {
                let failed = FailedAttempt { failure: Failure::Failed, reply, issues };
                Some(self.fail(failed, reason, cx))
            }
        }
    }

    fn add_time(&mut self, elapsed: Duration, cx: &mut RunContext<'_>) {
        self.question.attempts.add_time(elapsed);
        cx.facts.add_time(elapsed);
    }

    fn fail(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        cx: &mut RunContext<'_>,
    ) -> TaskEnd {
        self.question.record(failed, false, cx);
        TaskEnd::failed(reason, self.take_attempts())
    }
}

/// Returns the transition that is taken without a call: the only open one, if it needs nothing of a model.
fn only_choice(visible: &[usize], cx: &RunContext<'_>) -> Option<(usize, TaskIndex)> {
    let ai = cx.facts.ai(cx.visit.task).filter(|ai| ai.only_chooses)?;
    let [only] = *visible else { return None };
    let transition = ai.transitions.get(only).filter(|it| !it.with_model)?;
    Some((only, transition.target))
}

/// Applies a valid reply atomically.
fn accept(
    question: &ModelQuestion,
    ReceivedReply { reply: received, cost: reply }: ReceivedReply<'_>,
    calls: Vec<ToolCall>,
    cx: &mut RunContext<'_>,
) -> Result<AcceptedReply, Unaccepted> {
    question.note_results(cx);
    if cx.facts.reads(cx.visit.task) {
        return accept_own(question, received, reply, cx);
    }
    let ReplyCost { text, usage, elapsed } = reply;
    let calling = |text: &str, calls| {
        let text = text.to_owned();
        AcceptedReply::Calls(Box::new(CallingReply { text, calls, usage, elapsed }))
    };
    if !calls.is_empty() {
        return Ok(calling(text, calls));
    }
    match question.interpret(reply, cx)? {
        // The text is the calls.
        Interpretation::Calls(calls) => Ok(calling("", calls)),
        Interpretation::Transition(transition) => {
            let tools = question.history_of_tools(cx);
            Ok(AcceptedReply::End(cx.transition(transition, reply, tools)?))
        }
        Interpretation::Output(given) if cx.host.has_async_check(cx.visit.task) => {
            let value = given.into_value();
            validate_unchecked(&value, cx)?;
            Ok(AcceptedReply::Unchecked(Box::new(PendingCheck::new(value, reply))))
        }
        Interpretation::Output(given) => {
            cx.read(given)?;
            let tools = question.history_of_tools(cx);
            Ok(AcceptedReply::End(cx.commit_with(tools, usage, elapsed)?))
        }
    }
}

/// Applies a reply that the program reads itself.
fn accept_own(
    question: &ModelQuestion,
    received: &ModelReply,
    reply: ReplyCost<'_>,
    cx: &mut RunContext<'_>,
) -> Result<AcceptedReply, Unaccepted> {
    question.read_own(received, cx)?;
    if !cx.host.has_async_check(cx.visit.task) {
        return Ok(AcceptedReply::End(cx.commit(reply.usage, reply.elapsed)?));
    }
    let value = cx.output_value()?;
    cx.host.discard_output();
    Ok(AcceptedReply::Unchecked(Box::new(PendingCheck::new(value, reply))))
}

impl TaskPhase for ModelPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        let Self { question, checking } = self;
        if question.is_calling_tools() {
            question.poll_round(cx, due);
            return None;
        }
        if let Some(checking) = checking {
            question.note_results(cx);
            due.push(checking.due(question.id, &question.attempts, cx));
            return None;
        }
        if question.request.is_none()
            && let Err(why) = question.prepare(cx)
        {
            return Some(TaskEnd::halted(HaltReason::Template(why), self.take_attempts()));
        }
        match &question.mock {
            Some(mock) => {
                let action = Action::RunFunction(FunctionCall::ready(Ok(mock.clone())));
                due.push(cx.directive((question.id, question.attempts.number()), None, action));
            }
            None => {
                if let Some(call) = question.model_call(cx, cx.facts.elapsed) {
                    due.push(call);
                }
            }
        }
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        if let Some(checking) = self.checking.take() {
            return self.handle_check(checking, event, cx);
        }
        if self.question.is_calling_tools() {
            return self.question.handle_round(event, cx);
        }
        let Some((mut answer, elapsed)) = self.question.answer_from(event, cx.facts.elapsed, cx)
        else {
            return PhaseHandled::STALE;
        };
        cx.facts.add_time(elapsed);
        let calls = self.question.take_calls(&mut answer, cx);
        let accept =
            |question: &ModelQuestion, reply: ReceivedReply<'_>, cx: &mut RunContext<'_>| {
                accept(question, reply, calls, cx)
            };
        let received = self.question.receive((answer, elapsed), cx.facts.only_lane(), cx, accept);
        self.finish(received, cx)
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        match self.checking {
            Some(_) => &self.question.id,
            None => &self.question,
        }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        std::mem::take(&mut self.question.attempts.failed)
    }

    fn current_question(&self, _: RunView<'_>) -> Result<ModelQuestion, String> {
        Ok(self.question.clone())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let checking = self.checking.as_deref().map(PendingCheck::to_unchecked);
        Ok(PositionData::Calling {
            visit,
            pending: PendingCall { checking, ..self.question.save() },
            tools: self.question.tools.as_ref().and_then(|tools| tools.save()),
        })
    }
}
