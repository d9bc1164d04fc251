//! The phase of a human task.

use std::{mem, sync::Arc, time::Duration};

use cot_model::{FunctionError, Usage};
use cot_reader::internal::coerce_output;
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use crate::{
    process::child::DueDirectives,
    prompt::assemble::question_text,
    protocol::{
        directive::{Action, CallId, FunctionCall, Question},
        event::{Event, EventOutcome},
        open_calls::{Answerer, OpenCalls},
        run_event::event::RunEvent,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunView},
        end::{PhaseHandled, TaskEnd},
        limits::{TimeLeft, expired_limit, timeout_reason},
        phase::{
            pending_check::{CheckVerdict, PendingCheck, validate_unchecked},
            question::ModelQuestion,
            task_phase::TaskPhase,
        },
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData},
        error::SnapshotError,
    },
    values::outcome::{Attempt, Failure, HaltReason},
};

/// Maximum number of stored rejected answers, for a task without a retry limit.
const MAX_ATTEMPTS: usize = 20;

/// Waits for a person, or for the async `check` of an answer.
#[derive(Debug)]
pub(crate) struct HumanPhase {
    attempts: Attempts,
    id: CallId,
    /// The pending wait; created at the first poll.
    waits_for: Option<HumanWait>,
}

/// What a human task waits for.
#[derive(Debug)]
enum HumanWait {
    /// The answer of a person.
    Answer(Arc<Question>),
    /// The mock answer, which the driver returns through a function call, like other answers.
    Mock(Value),
    /// The result of the async `check` of the answer.
    Check(Box<PendingCheck>),
}

/// The result of accepting an answer.
enum AcceptedAnswer {
    End(TaskEnd),
    /// A valid answer that an async `check` has to accept first.
    Unchecked(Value),
}

impl HumanPhase {
    pub(crate) const fn begin(cx: &mut RunContext<'_>) -> Self {
        let id = cx.facts.new_call();
        let attempts = Attempts { failed: Vec::new(), spent: Duration::ZERO };
        Self { attempts, id, waits_for: None }
    }

    pub(crate) fn restore(id: CallId, attempts: Attempts, checking: Option<PendingCheck>) -> Self {
        let waits_for = checking.map(|checking| HumanWait::Check(Box::new(checking)));
        Self { attempts, id, waits_for }
    }

    const fn is_checking(&self) -> bool {
        matches!(self.waits_for, Some(HumanWait::Check(_)))
    }

    /// Writes the question, or computes its mock answer.
    fn prepare(&self, cx: &mut RunContext<'_>) -> Result<HumanWait, String> {
        // A mock answer is given only once; a rejected one would be rejected again.
        if self.attempts.failed.is_empty()
            && let Some(mock) = cx.mock(None)?
        {
            return Ok(HumanWait::Mock(mock));
        }
        let current = self.current_question(cx.view())?;
        let text = question_text(&current.prompt_input(cx.facts, cx.visit), cx.host)?;
        let task = cx.visit.task;
        let schema = cx.host.output_schema(task).ok_or("it has no output to ask for")?;
        let issues = self.attempts.last_rejected().map(|attempt| attempt.issues.clone());
        let question = Arc::new(Question { text, schema, issues });
        cx.host.emit(|| RunEvent::Asked { task, question: Arc::clone(&question) });
        Ok(HumanWait::Answer(question))
    }

    fn limit(&self, cx: &RunContext<'_>) -> Option<TimeLeft> {
        let (task, spent) = (cx.visit.task, self.attempts.spent);
        match self.is_checking() {
            true => cx.facts.time_left(task, spent, cx.facts.elapsed),
            false => cx.facts.time_for_person(task, spent),
        }
    }

    /// Adds time to the attempts. The time of a check counts for the run too, the time of a person does not.
    fn add_time(&mut self, elapsed: Duration, cx: &mut RunContext<'_>) {
        self.attempts.add_time(elapsed);
        if self.is_checking() {
            cx.facts.add_time(elapsed);
        }
    }

    fn apply_answer(
        &mut self,
        answer: Value,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> PhaseHandled {
        self.add_time(elapsed, cx);
        let text = answer.to_string();
        let reply = ReplyCost { text: &text, ..ReplyCost::without_reply(elapsed) };
        match accept_answer(answer, cx) {
            Ok(AcceptedAnswer::End(end)) => PhaseHandled::applied(Some(end)),
            Ok(AcceptedAnswer::Unchecked(value)) => {
                self.id = cx.facts.new_call();
                let checking = Box::new(PendingCheck::new(value, reply));
                self.waits_for = Some(HumanWait::Check(checking));
                PhaseHandled::applied(None)
            }
            Err(issues) => {
                cx.host.discard_output();
                let handled = EventOutcome::Refused(issues.clone());
                let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
                PhaseHandled { handled, end: self.ask_again_or_fail(failed, cx) }
            }
        }
    }

    fn apply_check(
        &mut self,
        result: Result<Value, FunctionError>,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        self.add_time(elapsed, cx);
        let Some(HumanWait::Check(checking)) = self.waits_for.take() else { return None };
        let reply = checking.reply(elapsed);
        let cost = ReplyCost { usage: Usage::default(), elapsed, ..reply };
        match checking.apply(result, cost, None, cx) {
            CheckVerdict::Committed(end) => Some(end),
            CheckVerdict::Rejected(issues) => {
                let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
                self.ask_again_or_fail(failed, cx)
            }
            CheckVerdict::Failed { issues, reason } => {
                let failed = FailedAttempt { failure: Failure::Failed, reply, issues };
                Some(self.fail(failed, reason, cx))
            }
        }
    }

    /// Records a rejected answer, and asks again or fails the task. People are asked until the answer is
    /// valid, the retries are used up, or the time limit, which started with the first question, has passed.
    fn ask_again_or_fail(
        &mut self,
        failed: FailedAttempt<'_>,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let task = cx.visit.task;
        let max_retries = cx.facts.definition.task(task).max_retries;
        let rejected = u32::try_from(self.attempts.rejected()).unwrap_or(u32::MAX);
        let is_last = max_retries.is_some_and(|max_retries| rejected >= max_retries);
        let late = expired_limit(cx.facts.time_for_person(task, self.attempts.spent));
        if let Some(reason) = if is_last { Some(HaltReason::Exhausted) } else { late } {
            return Some(self.fail(failed, reason, cx));
        }
        self.attempts.record(AttemptTarget::task(task), failed, true, cx.host);
        self.trim_attempts(max_retries);
        (self.id, self.waits_for) = (cx.facts.new_call(), None);
        None
    }

    /// Limits the stored attempts of a task without a retry limit.
    fn trim_attempts(&mut self, max_retries: Option<u32>) {
        if max_retries.is_none() {
            let surplus = self.attempts.failed.len().saturating_sub(MAX_ATTEMPTS);
            self.attempts.failed.drain(..surplus);
        }
    }

    fn fail(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        cx: &mut RunContext<'_>,
    ) -> TaskEnd {
        let task = cx.visit.task;
        let is_rejected = failed.failure == Failure::Rejected;
        self.attempts.record(AttemptTarget::task(task), failed, false, cx.host);
        if is_rejected {
            self.trim_attempts(cx.facts.definition.task(task).max_retries);
        }
        TaskEnd::failed(reason, self.take_attempts())
    }
}

/// Commits an answer, unless an async `check` has to accept it first.
fn accept_answer(answer: Value, cx: &mut RunContext<'_>) -> Result<AcceptedAnswer, Issues> {
    let task = cx.visit.task;
    let value = match cx.host.output_schema(task) {
        None => answer,
        Some(schema) => coerce_output(schema, answer)?,
    };
    if cx.host.has_async_check(task) {
        validate_unchecked(&value, cx)?;
        return Ok(AcceptedAnswer::Unchecked(value));
    }
    cx.read(UntypedOutput::Value(value))?;
    cx.commit(Usage::default(), Duration::ZERO).map(AcceptedAnswer::End)
}

impl OpenCalls for HumanPhase {
    fn visit(&self, visit: &mut dyn FnMut(CallId, Answerer)) {
        let answerer = if self.is_checking() { Answerer::Other } else { Answerer::Person };
        visit(self.id, answerer);
    }
}

impl TaskPhase for HumanPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        cx.facts.attempt = self.attempts.number();
        if self.waits_for.is_none() {
            match self.prepare(cx) {
                Ok(waits_for) => self.waits_for = Some(waits_for),
                Err(why) => {
                    return Some(TaskEnd::halted(HaltReason::Template(why), self.take_attempts()));
                }
            }
        }
        let timeout = self.limit(cx).map(|(left, _)| left);
        let action = match self.waits_for.as_mut()? {
            HumanWait::Answer(question) => Action::AskHuman(Arc::clone(question)),
            HumanWait::Mock(answer) => Action::RunFunction(FunctionCall::ready(Ok(answer.clone()))),
            HumanWait::Check(checking) => {
                due.push(checking.due(self.id, &self.attempts, cx));
                return None;
            }
        };
        due.push(cx.directive((self.id, self.attempts.number()), timeout, action));
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        if event.id() != Some(self.id) {
            return PhaseHandled::STALE;
        }
        cx.facts.attempt = self.attempts.number();
        let is_checking = self.is_checking();
        match event {
            Event::Answered { answer, elapsed, .. } if !is_checking => {
                self.apply_answer(answer, elapsed, cx)
            }
            Event::Ran { result, elapsed, .. } if is_checking => {
                PhaseHandled::applied(self.apply_check(result, elapsed, cx))
            }
            Event::Ran { result, elapsed, .. }
                if matches!(self.waits_for, Some(HumanWait::Mock(_))) =>
            {
                let PhaseHandled { end, .. } =
                    self.apply_answer(result.unwrap_or_default(), elapsed, cx);
                PhaseHandled::applied(end)
            }
            Event::TimedOut { elapsed, .. } => {
                let reason = timeout_reason(self.limit(cx));
                self.add_time(elapsed, cx);
                let issues = Issues::at("$", reason.to_string());
                let reply = ReplyCost::without_reply(elapsed);
                let failed = FailedAttempt { failure: Failure::TimedOut, reply, issues };
                PhaseHandled::applied(Some(self.fail(failed, reason, cx)))
            }
            _ => PhaseHandled::STALE,
        }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        self
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        mem::take(&mut self.attempts.failed)
    }

    fn current_question(&self, view: RunView<'_>) -> Result<ModelQuestion, String> {
        let current = ModelQuestion::new((self.id, None), view);
        Ok(ModelQuestion { attempts: self.attempts.clone(), ..current })
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let checking = match &self.waits_for {
            Some(HumanWait::Check(checking)) => Some(checking.to_unchecked()),
            _ => None,
        };
        let pending = PendingCall { checking, ..self.attempts.save(self.id) };
        Ok(PositionData::Asking { visit, pending })
    }
}
