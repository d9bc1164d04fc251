//! The phase of a human task.

use std::{mem, sync::Arc, time::Duration};

use cot_model::Usage;
use cot_reader::internal::take;
use cot_schema::{Issues, internal::Given};
use serde_json::Value;

use crate::{
    process::{child::Due, host::ProcessHost},
    prompt::assemble::question_text,
    protocol::{
        directive::{Action, CallId, FunctionCall, Question},
        event::{Event, Handled},
        run_event::event::RunEvent,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunFacts, Visit},
        end::{PhaseHandled, TaskEnd},
        limits::{TimeLeft, out_without_reply, timeout_reason},
        phase::{
            ask::Ask,
            checking::{Checking, read_unchecked, verdict},
            task_phase::TaskPhase,
        },
    },
    snapshot::{
        data::{Asked, Delivery, PositionData},
        error::SnapshotError,
    },
    values::{
        code_error::CodeError,
        outcome::{Attempt, Failure, HaltReason},
        panicked::PanicPlace,
    },
};

/// Maximum number of stored rejected answers, for a task without a retry limit.
const MAX_KEPT: usize = 20;

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
    Check(Box<Checking>),
}

/// What an answer came to.
enum Answered {
    End(TaskEnd),
    /// An output that an async `check` has yet to look at.
    Unchecked(Value),
}

impl HumanPhase {
    pub(crate) const fn begin(cx: &mut RunContext<'_>) -> Self {
        let id = cx.facts.new_call();
        let attempts = Attempts { failed: Vec::new(), spent: Duration::ZERO };
        Self { attempts, id, waits_for: None }
    }

    pub(crate) fn restore(id: CallId, attempts: Attempts, checking: Option<Checking>) -> Self {
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
        let ask = self.asked(cx.facts, cx.visit, cx.host)?;
        let text = question_text(&ask.question(cx.facts, cx.visit), cx.host)?;
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
            false => cx.facts.time_for_people(task, spent),
        }
    }

    /// Adds time to the attempts. The time of a check counts for the run too, the time of a person does not.
    fn spend(&mut self, elapsed: Duration, cx: &mut RunContext<'_>) {
        self.attempts.spend(elapsed);
        if self.is_checking() {
            cx.facts.spend(elapsed);
        }
    }

    fn answered(
        &mut self,
        answer: Value,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> PhaseHandled {
        self.spend(elapsed, cx);
        let text = answer.to_string();
        let reply = ReplyCost { text: &text, ..ReplyCost::without_reply(elapsed) };
        match take_answer(answer, cx) {
            Ok(Answered::End(end)) => PhaseHandled::applied(Some(end)),
            Ok(Answered::Unchecked(value)) => {
                self.id = cx.facts.new_call();
                let checking = Box::new(Checking::new(value, reply));
                self.waits_for = Some(HumanWait::Check(checking));
                PhaseHandled::applied(None)
            }
            Err(issues) => {
                cx.host.forget_output();
                let handled = Handled::Refused(issues.clone());
                let failed = FailedAttempt { failure: Failure::Rejected, reply, issues };
                PhaseHandled { handled, end: self.refuse(failed, cx) }
            }
        }
    }

    fn checked(
        &mut self,
        result: Result<Value, CodeError>,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        self.spend(elapsed, cx);
        let Some(HumanWait::Check(checking)) = self.waits_for.take() else { return None };
        let reply = checking.reply(elapsed);
        let cost = ReplyCost { usage: Usage::default(), elapsed, ..reply };
        let issues = match verdict(result) {
            Ok(Ok(())) => match checking.commit(cost, cx) {
                Ok(end) => return Some(end),
                Err(issues) => issues,
            },
            Ok(Err(issues)) => issues,
            Err(error) => {
                let issues = Issues::at("$", error.to_string());
                let failed = FailedAttempt { failure: Failure::Failed, reply, issues };
                let reason = cx.function_failure(error, PanicPlace::Check);
                return Some(self.give_up(failed, reason, cx));
            }
        };
        cx.host.forget_output();
        self.refuse(FailedAttempt { failure: Failure::Rejected, reply, issues }, cx)
    }

    /// Records a rejected answer, and asks again or fails the task. People are asked until the answer is
    /// valid, the retries are used up, or the time limit, which started with the first question, has passed.
    fn refuse(&mut self, failed: FailedAttempt<'_>, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        let task = cx.visit.task;
        let max_retries = cx.facts.definition.task(task).max_retries;
        let rejected = u32::try_from(self.attempts.rejected()).unwrap_or(u32::MAX);
        let is_last = max_retries.is_some_and(|max_retries| rejected >= max_retries);
        let late = out_without_reply(cx.facts.time_for_people(task, self.attempts.spent));
        if let Some(reason) = if is_last { Some(HaltReason::Exhausted) } else { late } {
            return Some(self.give_up(failed, reason, cx));
        }
        self.attempts.record(AttemptTarget::task(task), failed, true, cx.host);
        self.forget_old(max_retries);
        (self.id, self.waits_for) = (cx.facts.new_call(), None);
        None
    }

    /// Limits the stored attempts of a task without a retry limit.
    fn forget_old(&mut self, max_retries: Option<u32>) {
        if max_retries.is_none() {
            let surplus = self.attempts.failed.len().saturating_sub(MAX_KEPT);
            self.attempts.failed.drain(..surplus);
        }
    }

    fn give_up(
        &mut self,
        failed: FailedAttempt<'_>,
        reason: HaltReason,
        cx: &mut RunContext<'_>,
    ) -> TaskEnd {
        let task = cx.visit.task;
        let is_rejected = failed.failure == Failure::Rejected;
        self.attempts.record(AttemptTarget::task(task), failed, false, cx.host);
        if is_rejected {
            self.forget_old(cx.facts.definition.task(task).max_retries);
        }
        TaskEnd::failed(reason, self.take_attempts())
    }
}

/// Commits an answer, unless an async `check` has to accept it first.
fn take_answer(answer: Value, cx: &mut RunContext<'_>) -> Result<Answered, Issues> {
    let task = cx.visit.task;
    let value = match cx.host.output_schema(task) {
        None => answer,
        Some(schema) => take(schema, answer)?,
    };
    if cx.host.checks_later(task) {
        read_unchecked(&value, cx)?;
        return Ok(Answered::Unchecked(value));
    }
    cx.read(Given::Value(value))?;
    cx.commit(Usage::default(), Duration::ZERO).map(Answered::End)
}

impl TaskPhase for HumanPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut Due<'_>) -> Option<TaskEnd> {
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
        let is_checking = self.is_checking();
        match event {
            Event::Answered { answer, elapsed, .. } if !is_checking => {
                self.answered(answer, elapsed, cx)
            }
            Event::Ran { result, elapsed, .. } if is_checking => {
                PhaseHandled::applied(self.checked(result, elapsed, cx))
            }
            Event::Ran { result, elapsed, .. }
                if matches!(self.waits_for, Some(HumanWait::Mock(_))) =>
            {
                let PhaseHandled { end, .. } =
                    self.answered(result.unwrap_or_default(), elapsed, cx);
                PhaseHandled::applied(end)
            }
            Event::TimedOut { elapsed, .. } => {
                let reason = timeout_reason(self.limit(cx));
                self.spend(elapsed, cx);
                let issues = Issues::at("$", reason.to_string());
                let reply = ReplyCost::without_reply(elapsed);
                let failed = FailedAttempt { failure: Failure::TimedOut, reply, issues };
                PhaseHandled::applied(Some(self.give_up(failed, reason, cx)))
            }
            _ => PhaseHandled::STALE,
        }
    }

    fn is_pending(&self, id: CallId) -> bool {
        self.id == id
    }

    fn waits_for_person(&self) -> bool {
        !self.is_checking()
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        mem::take(&mut self.attempts.failed)
    }

    fn asked(
        &self,
        facts: &RunFacts,
        visit: &Visit,
        host: &dyn ProcessHost,
    ) -> Result<Ask, String> {
        let ask = Ask::new((self.id, None), facts, visit, host);
        Ok(Ask { attempts: self.attempts.clone(), ..ask })
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let checking = match &self.waits_for {
            Some(HumanWait::Check(checking)) => Some(checking.to_unchecked()),
            _ => None,
        };
        let asked = Asked { checking, ..self.attempts.save(self.id) };
        Ok(PositionData::Asking { visit, asked })
    }
}
