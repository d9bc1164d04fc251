//! Code tasks and human tasks.

use std::{sync::Arc, time::Duration};

use cot_model::Usage;
use cot_reader::internal::take;
use cot_schema::{Issues, internal::Given};
use serde_json::Value;

use super::{
    Action, CallId, Directive, FunctionCall, Handled, Question,
    ask::Replied,
    core::Core,
    failing::{Failed, Tried, note},
    phase::{Ask, Checking, Pause, Phase, Tries, Visit, Wanted},
    typed::{Notice, Typed},
};
use crate::{
    CodeError, Failure, HaltReason, Panic, PanicPlace, blueprint::TaskIndex,
    engine::prompt::assemble::question_text,
};

/// Rejected answers of a person that are kept, where there may be any number.
const MAX_KEPT: usize = 20;

/// Functions.
impl Core {
    /// The function to run.
    pub(super) fn due_code(&mut self, host: &mut dyn Typed) -> Option<Directive> {
        let Phase::Running { visit, tries, id, code, pause } = &self.phase else {
            return None;
        };
        let call = (*id, tries.number());
        if *pause == Pause::Backoff {
            let longest = self.pause_of(visit.task, tries);
            // Of many runs that fail together, not all come back together.
            let sleep = Action::Sleep { duration: longest / 2, jitter: longest - longest / 2 };
            return Some(self.directive(visit, call, None, sleep));
        }
        if let Some(code) = code {
            let timeout = self.time_for_function(visit.task, tries).map(|(left, _)| left);
            let action = Action::RunFunction(code.clone());
            return Some(self.directive(visit, call, timeout, action));
        }
        if let Phase::Running { visit, tries, id, pause, .. } = self.taken() {
            let code = Some(self.code_of(&visit, host));
            self.phase = Phase::Running { visit, tries, id, code, pause };
        }
        None
    }

    /// Waits before a function is tried again.
    pub(super) fn back_off(&mut self, visit: Visit, tries: Tries, host: &mut dyn Typed) {
        let (task, duration) = (visit.task, self.pause_of(visit.task, &tries));
        host.notify(Notice::Waiting { task, duration });
        let (id, pause) = (self.new_call(), Pause::Backoff);
        self.phase = Phase::Running { visit, tries, id, code: None, pause };
    }

    /// The longest that is waited after the attempts that have failed.
    fn pause_of(&self, task: TaskIndex, tries: &Tries) -> Duration {
        self.definition.task(task).retry.pause(tries.attempts.len())
    }

    /// The pause before the next attempt is over.
    pub(super) fn paused(&mut self, woken: CallId) -> Handled {
        let next = CallId(self.last_call + 1);
        match &mut self.phase {
            Phase::Running { id, pause: pause @ Pause::Backoff, .. } if *id == woken => {
                (*id, *pause, self.last_call) = (next, Pause::None, next.0);
                Handled::Applied
            }
            _ => Handled::Stale,
        }
    }

    fn code_of(&self, visit: &Visit, host: &dyn Typed) -> FunctionCall {
        match self.mock(visit, None, host) {
            Ok(Some(mock)) => FunctionCall::ready(Ok(mock)),
            Ok(None) => match host.code(visit.task, visit.inputs.as_ref()) {
                Some(code) => FunctionCall(code),
                None => FunctionCall::ready(Ok(Value::Null)),
            },
            Err(why) => FunctionCall::ready(Err(CodeError::new(why))),
        }
    }

    /// A function has come to its end; or the synthetic answer stands for a model's.
    pub(super) fn ran(
        &mut self,
        id: CallId,
        result: Result<Value, CodeError>,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Handled {
        if self.checking().is_some() {
            return self.checked(id, result, elapsed, host);
        }
        if matches!(&self.phase, Phase::Calling { ask, .. } if ask.mock.is_some()) {
            return self.asked(id, elapsed, |core, asked| {
                let reply = core.mocked_reply(asked.visit.task, result.unwrap_or_default());
                core.replied(asked, &reply, elapsed, host);
            });
        }
        if matches!(&self.phase, Phase::Asking { waits_for: Some(Wanted::Mock(_)), .. }) {
            self.answered(id, result.unwrap_or_default(), elapsed, host);
            return Handled::Applied;
        }
        let Some((visit, tries)) = self.take_running(id, elapsed) else {
            return Handled::Stale;
        };
        let outcome = match result {
            Ok(value) => self
                .returned(&visit, value, elapsed, host)
                .map_err(|issues| (Failure::Rejected, HaltReason::Exhausted, issues)),
            Err(error) => {
                let issues = Issues::at("$", error.to_string());
                let reason = self.failed(visit.task, error, PanicPlace::Function);
                Err((Failure::Failed, reason, issues))
            }
        };
        if let Err((failure, reason, issues)) = outcome {
            host.forget_output();
            let usage = Usage::default();
            let failed = Failed { failure, issues, reason, usage, elapsed };
            self.work_failed(visit, tries, failed, host);
        }
        Handled::Applied
    }

    pub(super) fn failed(
        &self,
        task: TaskIndex,
        error: CodeError,
        place: PanicPlace,
    ) -> HaltReason {
        if !error.is_panic() {
            return HaltReason::CodeFailed(error);
        }
        let (process, name) = (self.definition.about.name, self.name(task));
        let panic = Panic::new(process, name, place, error.message());
        HaltReason::Panicked(Box::new(panic))
    }

    fn returned(
        &mut self,
        visit: &Visit,
        value: Value,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        if host.has_output(visit.task) {
            host.read(visit.task, Given::Value(value), &self.view(visit, None))?;
            return self.commit(visit, Usage::default(), elapsed, host);
        }
        self.leave(visit, None, host);
        Ok(())
    }

    fn take_running(&mut self, ran: CallId, elapsed: Duration) -> Option<(Visit, Tries)> {
        if !matches!(&self.phase, Phase::Running { id, pause: Pause::None, .. } if *id == ran) {
            return None;
        }
        let Phase::Running { visit, mut tries, .. } = self.taken() else {
            return None;
        };
        tries.spent = tries.spent.saturating_add(elapsed);
        self.add_time(elapsed);
        Some((visit, tries))
    }

    /// A function, or a person, has taken too long.
    pub(super) fn work_timed_out(
        &mut self,
        id: CallId,
        reason: HaltReason,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Handled {
        let taken = self.take_running(id, elapsed).or_else(|| self.take_asking(id, elapsed));
        let Some((visit, tries)) = taken else {
            return Handled::Stale;
        };
        let issues = Issues::at("$", reason.to_string());
        let (failure, usage) = (Failure::TimedOut, Usage::default());
        self.work_failed(visit, tries, Failed { failure, issues, reason, usage, elapsed }, host);
        Handled::Applied
    }
}

/// People.
impl Core {
    /// The question that waits for its answer; or the synthetic answer, as a function that gives it.
    pub(super) fn due_question(&mut self, host: &mut dyn Typed) -> Option<Directive> {
        let Phase::Asking { visit, tries, id, waits_for } = &self.phase else {
            return None;
        };
        if let Some(wanted) = waits_for {
            let timeout = self.time_for_people(visit.task, tries.spent).map(|(left, _)| left);
            let action = match wanted {
                Wanted::Answer(question) => Action::AskHuman(Arc::clone(question)),
                Wanted::Mock(answer) => {
                    Action::RunFunction(FunctionCall::ready(Ok(answer.clone())))
                }
                // It is a check that is due, and no question.
                Wanted::Check(_) => return self.due_check(host),
            };
            return Some(self.directive(visit, (*id, tries.number()), timeout, action));
        }
        if let Phase::Asking { visit, tries, id, .. } = self.taken() {
            self.write_question(visit, tries, id, host);
        }
        None
    }

    fn write_question(&mut self, visit: Visit, tries: Tries, id: CallId, host: &mut dyn Typed) {
        let task = visit.task;
        match self.ask_person(&visit, &tries, host) {
            Ok(wanted) => {
                if let Wanted::Answer(question) = &wanted {
                    host.notify(Notice::Asked { task, question });
                }
                self.phase = Phase::Asking { visit, tries, id, waits_for: Some(wanted) };
            }
            Err(why) => self.halt(task, HaltReason::Template(why), tries.attempts, host),
        }
    }

    fn ask_person(&self, visit: &Visit, tries: &Tries, host: &dyn Typed) -> Result<Wanted, String> {
        // A synthetic answer that was rejected would be rejected for ever.
        if tries.attempts.is_empty()
            && let Some(mock) = self.mock(visit, None, host)?
        {
            return Ok(Wanted::Mock(mock));
        }
        let asking = Ask { tries: tries.clone(), ..self.question(visit, None, host) };
        let text = question_text(&self.asking(visit, &asking), host)?;
        let schema = host.output_schema(visit.task).ok_or("it has no output to ask for")?;
        let issues = tries.last_rejected().map(|attempt| attempt.issues.clone());
        Ok(Wanted::Answer(Arc::new(Question { text, schema, issues })))
    }

    pub(super) fn answered(
        &mut self,
        id: CallId,
        answer: Value,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Handled {
        let Some((visit, tries)) = self.take_asking(id, elapsed) else {
            return Handled::Stale;
        };
        let text = answer.to_string();
        match self.take_answer(&visit, answer, host) {
            Ok(None) => Handled::Applied,
            Ok(Some(value)) => {
                let usage = Usage::default();
                let replied = Replied { text: &text, usage, elapsed };
                self.check_answer(visit, tries, Checking::new(value, replied));
                Handled::Applied
            }
            Err(issues) => {
                host.forget_output();
                let (failure, usage) = (Failure::Rejected, Usage::default());
                let tried = Tried { failure, text: &text, issues: issues.clone(), usage, elapsed };
                self.refuse(visit, tries, tried, host);
                Handled::Refused(issues)
            }
        }
    }

    /// Commits an answer; gives it where an async `check` has yet to look at it.
    fn take_answer(
        &mut self,
        visit: &Visit,
        answer: Value,
        host: &mut dyn Typed,
    ) -> Result<Option<Value>, Issues> {
        let schema = host.output_schema(visit.task);
        let value = match schema {
            None => answer,
            Some(schema) => take(schema, answer)?,
        };
        if host.checks_later(visit.task) {
            host.read(visit.task, Given::Value(value.clone()), &self.view(visit, None))?;
            host.forget_output();
            return Ok(Some(value));
        }
        host.read(visit.task, Given::Value(value), &self.view(visit, None))?;
        self.commit(visit, Usage::default(), Duration::ZERO, host).map(|()| None)
    }

    /// Waits for another answer. People are asked until the answer is good, unless the task says how
    /// often, or until their time is over: it began with the first question.
    pub(super) fn refuse(
        &mut self,
        visit: Visit,
        mut tries: Tries,
        tried: Tried<'_>,
        host: &mut dyn Typed,
    ) {
        let max_retries = self.definition.task(visit.task).max_retries;
        let rejected = u32::try_from(tries.rejected()).unwrap_or(u32::MAX);
        let is_last = max_retries.is_some_and(|max_retries| rejected >= max_retries);
        let late = self.time_for_people(visit.task, tries.spent).filter(|(left, _)| left.is_zero());
        let why_not =
            if is_last { Some(HaltReason::Exhausted) } else { late.map(|(_, reason)| reason) };
        note(visit.task, &mut tries, (None, None), tried, why_not.is_none(), host);
        if max_retries.is_none() {
            // People may try as often as they like; what they tried long ago is of no interest.
            tries.attempts.drain(..tries.attempts.len().saturating_sub(MAX_KEPT));
        }
        match why_not {
            None => self.work(visit, tries, host),
            Some(reason) => self.fail(visit.task, reason, tries.attempts, host),
        }
    }

    fn take_asking(&mut self, answered: CallId, elapsed: Duration) -> Option<(Visit, Tries)> {
        if !matches!(&self.phase, Phase::Asking { id, .. } if *id == answered) {
            return None;
        }
        match self.taken() {
            Phase::Asking { visit, mut tries, waits_for, .. } => {
                tries.spent = tries.spent.saturating_add(elapsed);
                // A person's time is not the run's; that of a check is.
                if matches!(waits_for, Some(Wanted::Check(_))) {
                    self.add_time(elapsed);
                }
                Some((visit, tries))
            }
            _ => None,
        }
    }
}
