//! The reasons for which a task fails during a round.

use cot_schema::Issues;

use crate::{
    run::{attempts::Attempts, context::RunContext, limits::expired_limit},
    values::outcome::{Failure, HaltReason},
};

/// The reason for which the task fails during a round.
pub(crate) struct RoundFailure {
    pub(crate) failure: Failure,
    pub(crate) reason: HaltReason,
    pub(crate) issues: Issues,
}

/// A reply with more calls than are left for the visit.
pub(crate) struct TooManyCalls {
    /// What makes the calls: the reply or the task.
    pub(super) maker: &'static str,
    pub(super) count: u32,
    pub(super) earlier: u32,
    pub(super) max: u32,
}

impl From<TooManyCalls> for RoundFailure {
    fn from(TooManyCalls { maker, count, earlier, max }: TooManyCalls) -> Self {
        let message = match earlier {
            0 => format!("{maker} makes {count} tool calls: at most {max} are allowed"),
            _ => format!(
                "{maker} makes {count} tool calls after {earlier} earlier ones: at most {max} are allowed"
            ),
        };
        let (failure, reason) = (Failure::Rejected, HaltReason::ToolCalls(max));
        Self { failure, reason, issues: Issues::at("$", message) }
    }
}

impl RoundFailure {
    /// Returns the failure of a round for which a limit is reached: that of the time, or a budget that the task
    /// spends, so that the model can't be called after it.
    pub(crate) fn limit(task: &Attempts, cx: &RunContext<'_>) -> Option<Self> {
        let facts = &*cx.facts;
        let left = facts.time_left(cx.visit.task, task.spent, facts.elapsed);
        let spends_budget = facts.definition.task(cx.visit.task).kind.info().spends_budget;
        let budget = || facts.exhausted_budget(0).filter(|_| spends_budget);
        let reason = expired_limit(left).or_else(budget)?;
        let failure = match reason {
            HaltReason::TaskTimeout(_) | HaltReason::RunTimeout(_) => Failure::TimedOut,
            _ => Failure::Failed,
        };
        let issues = Issues::at("$", reason.to_string());
        Some(Self { failure, reason, issues })
    }

    pub(super) fn interrupted(why: &str) -> Self {
        let (failure, reason) = (Failure::Interrupted, HaltReason::Interrupted);
        Self { failure, reason, issues: Issues::at("$", why) }
    }

    pub(crate) fn timed_out(reason: HaltReason) -> Self {
        let issues = Issues::at("$", reason.to_string());
        Self { failure: Failure::TimedOut, reason, issues }
    }
}
