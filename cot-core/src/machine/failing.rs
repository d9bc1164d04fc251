//! Attempts that fail, and where that leads.

use std::time::Duration;

use cot_model::{ModelErrorKind, Usage};
use cot_schema::Issues;

use super::{
    Fallback,
    ask::Replied,
    core::{Asked, Core},
    phase::{Arrival, Phase, Tries, Visit},
    reply::{bounded, shortened},
    typed::{Notice, Typed},
};
use crate::{
    Attempt, FailedItem, Failure, Halt, HaltReason, PanicPlace, Route,
    blueprint::{TaskIndex, TaskKind},
};

/// Retries of a task when neither it nor its process says how many.
pub(crate) const DEFAULT_MAX_RETRIES: u32 = 2;

/// The route of a budget that is used up.
const BUDGET: &str = "budget";

/// An attempt that did not succeed.
pub(super) struct Tried<'a> {
    pub(super) failure: Failure,
    pub(super) text: &'a str,
    pub(super) issues: Issues,
    pub(super) usage: Usage,
    pub(super) elapsed: Duration,
}

impl<'a> Tried<'a> {
    pub(super) fn of(failure: Failure, replied: Replied<'a>, issues: Issues) -> Self {
        let Replied { text, usage, elapsed } = replied;
        Self { failure, text, issues, usage, elapsed }
    }
}

/// An attempt at a function or a process that did not succeed, and what it comes to.
pub(super) struct Failed {
    pub(super) failure: Failure,
    pub(super) issues: Issues,
    pub(super) reason: HaltReason,
    pub(super) usage: Usage,
    pub(super) elapsed: Duration,
}

/// Models.
impl Core {
    /// Asks again for a reply that was not accepted, while retries are left.
    pub(super) fn rejected(
        &mut self,
        asked: Asked,
        replied: Replied<'_>,
        issues: Issues,
        host: &mut dyn Typed,
    ) {
        let tried = Tried::of(Failure::Rejected, replied, issues);
        match self.why_no_retry(&asked) {
            Some(reason) => self.give_up(asked, tried, reason, host),
            None => self.ask_again(asked, tried, host),
        }
    }

    fn why_no_retry(&self, asked: &Asked) -> Option<HaltReason> {
        let Asked { visit, ask, .. } = asked;
        let max_retries = self.definition.task(visit.task).max_retries;
        let max_retries =
            max_retries.or(self.definition.max_retries).unwrap_or(DEFAULT_MAX_RETRIES);
        let is_last = u32::try_from(ask.tries.rejected()).is_ok_and(|count| count >= max_retries);
        if is_last {
            return Some(HaltReason::Exhausted);
        }
        let left = self.time_left(visit.task, ask.tries.spent, self.time_of(asked));
        let out_of_time = left.filter(|(left, _)| left.is_zero()).map(|(_, reason)| reason);
        out_of_time.or_else(|| self.budget_used_up_with(self.others_in_flight(asked)))
    }

    fn time_of(&self, asked: &Asked) -> Duration {
        match &asked.others {
            Some((each, lane)) => each.time_in(*lane),
            None => self.elapsed,
        }
    }

    /// Asks the next engine where the rule says so; else the task has failed.
    pub(super) fn not_answered(
        &mut self,
        mut asked: Asked,
        tried: Tried<'_>,
        reason: HaltReason,
        host: &mut dyn Typed,
    ) {
        let falls_back = match tried.failure {
            Failure::Unreachable => true,
            Failure::Refused => self.options.fallback == Fallback::Refused,
            _ => false,
        };
        let has_next = asked.ask.engine + 1 < self.engines(asked.visit.task).len();
        let diverged = matches!(&reason, HaltReason::Unreachable(error)
            if *error.kind() == ModelErrorKind::Diverged);
        let out_of_budget = self.budget_used_up_with(self.others_in_flight(&asked)).is_some();
        if !falls_back || !has_next || diverged || out_of_budget {
            return self.give_up(asked, tried, reason, host);
        }
        let engine = asked.ask.engine;
        self.note_asked(&mut asked, tried, true, host);
        asked.ask.engine = engine + 1;
        self.resume_asking(asked);
    }

    fn ask_again(&mut self, mut asked: Asked, tried: Tried<'_>, host: &mut dyn Typed) {
        self.note_asked(&mut asked, tried, true, host);
        self.resume_asking(asked);
    }

    fn resume_asking(&mut self, asked: Asked) {
        let Asked { visit, mut ask, others } = asked;
        ask.id = self.new_call();
        ask.request = None;
        ask.mock = None;
        self.phase = match others {
            None => Phase::Calling { visit, ask },
            Some((mut each, lane)) => {
                each.asks.insert(ask.id, (lane, ask));
                Phase::Each(each)
            }
        };
    }

    pub(super) fn give_up(
        &mut self,
        mut asked: Asked,
        tried: Tried<'_>,
        reason: HaltReason,
        host: &mut dyn Typed,
    ) {
        self.note_asked(&mut asked, tried, false, host);
        let Asked { visit, ask, others } = asked;
        let reason = match (others, ask.item) {
            (Some((each, _)), Some(item)) => HaltReason::ItemFailed(Box::new(FailedItem {
                item,
                reason,
                done: each.done.keys().copied().collect(),
                total: each.total,
            })),
            _ => reason,
        };
        self.fail(visit.task, reason, ask.tries.attempts, host);
    }

    fn note_asked(
        &self,
        asked: &mut Asked,
        tried: Tried<'_>,
        will_retry: bool,
        host: &mut dyn Typed,
    ) {
        let engine = self.engines(asked.visit.task).get(asked.ask.engine);
        let place = (asked.ask.item, engine.copied());
        note(asked.visit.task, &mut asked.ask.tries, place, tried, will_retry, host);
    }
}

/// Functions, processes, and the end of it.
impl Core {
    /// Tries a function or a process once more, or gives up.
    pub(super) fn work_failed(
        &mut self,
        visit: Visit,
        mut tries: Tries,
        failed: Failed,
        host: &mut dyn Typed,
    ) {
        let Failed { failure, issues, reason, usage, elapsed } = failed;
        // What is done again may cost, or act, twice: only where the task itself says so.
        let max_retries = self.definition.task(visit.task).max_retries.unwrap_or(0);
        let has_retries =
            u32::try_from(tries.attempts.len()).is_ok_and(|failed| failed < max_retries);
        let retry = self.definition.task(visit.task).retry;
        let limit = self.limit_passed(&visit, &tries);
        let counts = failure != Failure::TimedOut || retry.timeouts;
        let again = has_retries && limit.is_none() && counts;
        let tried = Tried { failure, text: "", issues, usage, elapsed };
        note(visit.task, &mut tries, (None, None), tried, again, host);
        let is_function = matches!(self.definition.task(visit.task).kind, TaskKind::Code);
        if again && is_function {
            return self.back_off(visit, tries, host);
        }
        if again {
            return self.work(visit, tries, host);
        }
        // A process ends badly when what it was given is used up: then that is the reason.
        let reason = match (limit, reason) {
            (Some(limit), HaltReason::ProcessFailed(_)) => limit,
            (_, reason) => reason,
        };
        self.fail(visit.task, reason, tries.attempts, host);
    }

    fn limit_passed(&self, visit: &Visit, tries: &Tries) -> Option<HaltReason> {
        let left = self.time_for_function(visit.task, tries);
        let out_of_time = left.filter(|(left, _)| left.is_zero()).map(|(_, reason)| reason);
        if !matches!(self.definition.task(visit.task).kind, TaskKind::Process(_)) {
            return out_of_time;
        }
        out_of_time.or_else(|| self.limit_reached()).or_else(|| self.budget_used_up())
    }

    /// Goes where the task says for what went wrong, or halts. Nothing is committed.
    pub(super) fn fail(
        &mut self,
        task: TaskIndex,
        reason: HaltReason,
        attempts: Vec<Attempt>,
        host: &mut dyn Typed,
    ) {
        let Some((name, target)) = self.route_for(task, &reason).filter(|_| !self.is_alone) else {
            return self.halt(task, reason, attempts, host);
        };
        if name == BUDGET && !self.out_of_budget.insert(task) {
            return self.halt(task, reason, attempts, host);
        }
        self.last_failure = Some(Halt { task, reason, attempts });
        host.forget_output();
        host.notify(Notice::Left { task, next: Some(target), route: Route::On(name) });
        self.callers.unwind(target);
        self.phase = Phase::At(Arrival::new(target, None));
    }

    fn route_for(&self, task: TaskIndex, reason: &HaltReason) -> Option<(&'static str, TaskIndex)> {
        let routes = &self.definition.task(task).on;
        let name = match reason {
            // A function that failed was not reached; where that has no route, its retries are used up.
            HaltReason::CodeFailed(_) if routes.unreachable.is_some() => "unreachable",
            HaltReason::Exhausted | HaltReason::CodeFailed(_) | HaltReason::ProcessFailed(_) => {
                "exhausted"
            }
            HaltReason::Panicked(panic) if panic.place == PanicPlace::Function => "exhausted",
            HaltReason::Unreachable(_) => "unreachable",
            HaltReason::Truncated => "truncated",
            HaltReason::Refused(_) => "refused",
            HaltReason::TaskTimeout(_) => "timeout",
            HaltReason::Budget(_) => BUDGET,
            HaltReason::ItemFailed(failed) => return self.route_for(task, &failed.reason),
            _ => return None,
        };
        routes.named().find(|(route, _)| *route == name)
    }
}

/// Keeps an attempt that did not succeed, and says so.
pub(super) fn note(
    task: TaskIndex,
    tries: &mut Tries,
    (item, engine): (Option<usize>, Option<&'static str>),
    tried: Tried<'_>,
    will_retry: bool,
    host: &mut dyn Typed,
) {
    let attempt = Attempt {
        number: tries.number(),
        item,
        engine: engine.map(str::to_owned),
        failure: tried.failure,
        reply: shortened(tried.text),
        issues: bounded(tried.issues),
        usage: tried.usage,
        elapsed: tried.elapsed,
    };
    host.notify(Notice::Failed { task, attempt: &attempt, will_retry });
    tries.attempts.push(attempt);
}
