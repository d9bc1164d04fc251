//! Records of failed attempts.

use std::{mem, time::Duration};

use cot_model::Usage;
use cot_schema::Issues;

use crate::{
    process::{host::ProcessHost, tables::TaskIndex},
    protocol::{directive::CallId, run_event::event::RunEvent},
    reply::bounds::{limit_issues, truncate_reply},
    snapshot::data::PendingCall,
    values::outcome::{Attempt, Failure},
};

/// The failed attempts of a task or an item, and the time spent on them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attempts {
    pub(crate) failed: Vec<Attempt>,
    pub(crate) spent: Duration,
}

/// The text of a reply, with its usage and duration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReplyCost<'a> {
    pub(crate) text: &'a str,
    pub(crate) usage: Usage,
    pub(crate) elapsed: Duration,
}

/// A failed attempt, before it is recorded.
pub(crate) struct FailedAttempt<'a> {
    pub(crate) failure: Failure,
    pub(crate) reply: ReplyCost<'a>,
    pub(crate) issues: Issues,
}

/// What an attempt belongs to: the task, the item, the engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttemptTarget {
    pub(crate) task: TaskIndex,
    pub(crate) item: Option<usize>,
    pub(crate) engine: Option<&'static str>,
}

impl ReplyCost<'_> {
    /// Creates the cost of an attempt without a reply.
    pub(crate) fn without_reply(elapsed: Duration) -> Self {
        Self { text: "", usage: Usage::default(), elapsed }
    }
}

impl Attempts {
    /// Returns the number of the current attempt, from 1.
    pub(crate) fn number(&self) -> u32 {
        self.failed.last().map_or(1, |last| last.number.saturating_add(1))
    }

    /// Returns the number of rejected answers since the last change of engine, since each engine has its own
    /// retries.
    pub(crate) fn rejected(&self) -> usize {
        let is_rejected = |attempt: &&Attempt| attempt.failure == Failure::Rejected;
        self.failed.iter().rev().take_while(is_rejected).count()
    }

    /// Returns the last attempt with a rejected answer. The next prompt shows its issues.
    pub(crate) fn last_rejected(&self) -> Option<&Attempt> {
        self.failed.iter().rfind(|attempt| attempt.failure == Failure::Rejected)
    }

    pub(crate) const fn add_time(&mut self, elapsed: Duration) {
        self.spent = self.spent.saturating_add(elapsed);
    }

    /// Returns the attempts as snapshot data, with the pending call.
    pub(crate) fn save(&self, call: CallId) -> PendingCall {
        let (attempts, spent) = (self.failed.clone(), self.spent);
        let (item, lane, checking) = (None, Duration::ZERO, None);
        PendingCall {
            call,
            item,
            engine: 0,
            lost: Vec::new(),
            attempts,
            spent,
            lane,
            pauses: 0,
            is_pausing: false,
            is_started: false,
            checking,
            process: None,
        }
    }

    /// Takes the attempts from snapshot data.
    pub(crate) fn restore(pending: &mut PendingCall) -> Self {
        Self { failed: mem::take(&mut pending.attempts), spent: pending.spent }
    }

    /// Adds a failed attempt and emits the event.
    pub(crate) fn record(
        &mut self,
        target: AttemptTarget,
        failed: FailedAttempt<'_>,
        will_retry: bool,
        host: &mut dyn ProcessHost,
    ) {
        let ReplyCost { text, usage, elapsed } = failed.reply;
        let attempt = Attempt {
            number: self.number(),
            item: target.item,
            engine: target.engine.map(str::to_owned),
            failure: failed.failure,
            reply: truncate_reply(text),
            issues: limit_issues(failed.issues),
            usage,
            elapsed,
        };
        let task = target.task;
        host.emit(|| RunEvent::AttemptFailed { task, attempt: attempt.clone(), will_retry });
        self.failed.push(attempt);
    }
}

impl AttemptTarget {
    /// Creates the target of a task without an item and an engine.
    pub(crate) const fn task(task: TaskIndex) -> Self {
        Self { task, item: None, engine: None }
    }
}
