//! Outputs that an async `check` looks at before they are committed. The check is performed as a function;
//! until its verdict is there, the output is kept as JSON.

use std::time::Duration;

use cot_model::Usage;
use cot_schema::{Issues, internal::Given};
use serde_json::Value;

use super::{
    Action, CallId, Directive, FunctionCall, Handled,
    ask::Replied,
    core::{Asked, Core},
    failing::{Tried, note},
    phase::{Checking, Phase, Tries, Visit, Wanted},
    reply::shortened,
    typed::Typed,
};
use crate::{CodeError, Failure, HaltReason, PanicPlace};

impl Checking {
    pub(super) fn new(value: Value, replied: Replied<'_>) -> Self {
        let Replied { text, usage, elapsed } = replied;
        Self { value, reply: shortened(text), usage, elapsed, code: None }
    }

    /// What the reply was and cost, with the time of its check.
    fn replied(&self, elapsed: Duration) -> Replied<'_> {
        let elapsed = self.elapsed.saturating_add(elapsed);
        Replied { text: &self.reply, usage: self.usage, elapsed }
    }
}

impl Core {
    /// The output that a check looks at, if the run waits for that.
    pub(super) fn checking(&self) -> Option<&Checking> {
        match &self.phase {
            Phase::Calling { ask, .. } => ask.checking.as_deref(),
            Phase::Asking { waits_for: Some(Wanted::Check(checking)), .. } => Some(checking),
            _ => None,
        }
    }

    /// Has the output of a model checked.
    pub(super) fn check_reply(&mut self, asked: Asked, value: Value, replied: Replied<'_>) {
        let Asked { visit, mut ask, .. } = asked;
        ask.id = self.new_call();
        (ask.request, ask.mock) = (None, None);
        ask.checking = Some(Box::new(Checking::new(value, replied)));
        self.phase = Phase::Calling { visit, ask };
    }

    /// Has the answer of a person checked.
    pub(super) fn check_answer(&mut self, visit: Visit, tries: Tries, checking: Checking) {
        let (id, waits_for) = (self.new_call(), Some(Wanted::Check(Box::new(checking))));
        self.phase = Phase::Asking { visit, tries, id, waits_for };
    }

    /// The check to run.
    pub(super) fn due_check(&mut self, host: &mut dyn Typed) -> Option<Directive> {
        let checking = self.checking()?;
        let (visit, id, tries) = match &self.phase {
            Phase::Calling { visit, ask } => (visit, ask.id, &ask.tries),
            Phase::Asking { visit, tries, id, .. } => (visit, *id, tries),
            _ => return None,
        };
        let code = match &checking.code {
            Some(code) => code.clone(),
            None => self.check_code(visit, &checking.value, host),
        };
        let left = self.time_left(visit.task, tries.spent, self.elapsed).map(|(left, _)| left);
        let action = Action::RunFunction(code.clone());
        let mut directive = self.directive(visit, (id, tries.number()), left, action);
        directive.key = directive.key.of_check();
        if let Some(checking) = self.checking_mut() {
            checking.code = Some(code);
        }
        Some(directive)
    }

    fn checking_mut(&mut self) -> Option<&mut Checking> {
        match &mut self.phase {
            Phase::Calling { ask, .. } => ask.checking.as_deref_mut(),
            Phase::Asking { waits_for: Some(Wanted::Check(checking)), .. } => Some(checking),
            _ => None,
        }
    }

    fn check_code(&self, visit: &Visit, value: &Value, host: &mut dyn Typed) -> FunctionCall {
        if let Err(issues) =
            host.read(visit.task, Given::Value(value.clone()), &self.view(visit, None))
        {
            // The snapshot of the run may have been written by a program of other types.
            return FunctionCall::ready(serde_json::to_value(issues).map_err(CodeError::new));
        }
        let check = host.check(visit.task, visit.inputs.as_ref());
        host.forget_output();
        check.map_or_else(|| FunctionCall::ready(Ok(Value::Null)), FunctionCall)
    }

    /// The check has come to its end.
    pub(super) fn checked(
        &mut self,
        id: CallId,
        result: Result<Value, CodeError>,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Handled {
        if matches!(&self.phase, Phase::Calling { .. }) {
            return self.asked(id, elapsed, |core, asked| {
                core.reply_checked(asked, result, elapsed, host);
            });
        }
        let Some((visit, tries, checking)) = self.take_checked_answer(id, elapsed) else {
            return Handled::Stale;
        };
        self.answer_checked(visit, tries, (&checking, elapsed), result, host);
        Handled::Applied
    }

    fn reply_checked(
        &mut self,
        mut asked: Asked,
        result: Result<Value, CodeError>,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) {
        let Some(checking) = asked.ask.checking.take() else { return };
        let replied = checking.replied(elapsed);
        let issues = match verdict(result) {
            Ok(Ok(())) => match self.commit_checked(&asked.visit, &checking, replied, host) {
                Ok(()) => return,
                Err(issues) => issues,
            },
            Ok(Err(issues)) => issues,
            Err(error) => {
                let tried = Tried::of(Failure::Failed, replied, Issues::at("$", error.to_string()));
                let reason = self.failed(asked.visit.task, error, PanicPlace::Check);
                return self.give_up(asked, tried, reason, host);
            }
        };
        host.forget_output();
        self.rejected(asked, replied, issues, host);
    }

    fn commit_checked(
        &mut self,
        visit: &Visit,
        checking: &Checking,
        replied: Replied<'_>,
        host: &mut dyn Typed,
    ) -> Result<(), Issues> {
        host.read(visit.task, Given::Value(checking.value.clone()), &self.view(visit, None))?;
        self.commit(visit, replied.usage, replied.elapsed, host)
    }

    /// The check of a model's output has taken too long. The reply is not asked for again.
    pub(super) fn check_timed_out(
        &mut self,
        id: CallId,
        reason: HaltReason,
        elapsed: Duration,
        host: &mut dyn Typed,
    ) -> Handled {
        self.asked(id, elapsed, |core, mut asked| {
            let Some(checking) = asked.ask.checking.take() else { return };
            let issues = Issues::at("$", reason.to_string());
            let tried = Tried::of(Failure::TimedOut, checking.replied(elapsed), issues);
            core.give_up(asked, tried, reason, host);
        })
    }

    fn take_checked_answer(
        &mut self,
        checked: CallId,
        elapsed: Duration,
    ) -> Option<(Visit, Tries, Box<Checking>)> {
        if !matches!(&self.phase, Phase::Asking { id, .. } if *id == checked) {
            return None;
        }
        match self.taken() {
            Phase::Asking {
                visit, mut tries, waits_for: Some(Wanted::Check(checking)), ..
            } => {
                tries.spent = tries.spent.saturating_add(elapsed);
                self.add_time(elapsed);
                Some((visit, tries, checking))
            }
            _ => None,
        }
    }

    fn answer_checked(
        &mut self,
        visit: Visit,
        mut tries: Tries,
        (checking, elapsed): (&Checking, Duration),
        result: Result<Value, CodeError>,
        host: &mut dyn Typed,
    ) {
        let replied = checking.replied(elapsed);
        let of_commit = Replied { usage: Usage::default(), elapsed, ..replied };
        let issues = match verdict(result) {
            Ok(Ok(())) => match self.commit_checked(&visit, checking, of_commit, host) {
                Ok(()) => return,
                Err(issues) => issues,
            },
            Ok(Err(issues)) => issues,
            Err(error) => {
                let tried = Tried::of(Failure::Failed, replied, Issues::at("$", error.to_string()));
                note(visit.task, &mut tries, (None, None), tried, false, host);
                let reason = self.failed(visit.task, error, PanicPlace::Check);
                return self.fail(visit.task, reason, tries.attempts, host);
            }
        };
        host.forget_output();
        self.refuse(visit, tries, Tried::of(Failure::Rejected, replied, issues), host);
    }
}

/// What a check says of an output: `null` when it is good, else the issues; or why it could not say.
fn verdict(result: Result<Value, CodeError>) -> Result<Result<(), Issues>, CodeError> {
    match result? {
        Value::Null => Ok(Ok(())),
        issues => serde_json::from_value(issues).map(Err).map_err(CodeError::new),
    }
}
