//! The progress of a call of a tool.

use std::time::Duration;

use cot_model::ToolResult;

use super::approval::ApprovalWait;
use crate::{
    protocol::directive::CallId,
    run::{attempts::Attempts, context::RunContext, phase::function_call::FunctionAttempts},
    snapshot::{data::PendingCall, tools::CallProgressData},
};

/// The progress of a call of a round.
#[derive(Debug, Clone)]
pub(crate) enum CallProgress {
    /// The call has not started.
    Waiting,
    /// A person is asked whether to make it.
    Asking(ApprovalWait),
    Running(RunningCall),
    Answered(ToolResult),
}

/// A call that is being made.
#[derive(Debug, Clone)]
pub(crate) struct RunningCall {
    pub(super) attempts: FunctionAttempts,
    /// The elapsed time of the run when the call started. The calls of a round overlap.
    began: Duration,
}

impl CallProgress {
    /// Returns the pending directive of the call.
    pub(crate) const fn id(&self) -> Option<CallId> {
        match self {
            Self::Asking(wait) => Some(wait.id),
            Self::Running(call) => Some(call.attempts.id),
            Self::Waiting | Self::Answered(_) => None,
        }
    }

    pub(crate) const fn is_answered(&self) -> bool {
        matches!(self, Self::Answered(_))
    }

    pub(crate) fn save(&self) -> CallProgressData {
        match self {
            Self::Waiting => CallProgressData::Waiting,
            Self::Asking(wait) => wait.save(),
            Self::Running(call) => call.save(),
            Self::Answered(result) => CallProgressData::Answered(result.clone()),
        }
    }

    pub(crate) fn restore(data: CallProgressData) -> Self {
        match data {
            CallProgressData::Waiting => Self::Waiting,
            CallProgressData::Asking { call, attempt, issues } => {
                Self::Asking(ApprovalWait::restore(call, attempt, issues))
            }
            CallProgressData::Running {
                call,
                attempts: failed,
                spent,
                is_pausing,
                is_started,
                began,
            } => {
                let pending = Attempts { failed, spent }.save(call);
                let pending = PendingCall { is_pausing, is_started, ..pending };
                Self::Running(RunningCall { attempts: FunctionAttempts::restore(pending), began })
            }
            CallProgressData::Answered(result) => Self::Answered(result),
        }
    }
}

impl RunningCall {
    pub(crate) const fn begin(cx: &mut RunContext<'_>) -> Self {
        Self { attempts: FunctionAttempts::new(cx.facts.new_call(), None), began: cx.facts.elapsed }
    }

    /// Returns the elapsed time of the run as the call sees it.
    pub(crate) fn run_time(&self) -> Duration {
        self.began.saturating_add(self.elapsed())
    }

    /// Returns the time of the call so far.
    pub(crate) const fn elapsed(&self) -> Duration {
        self.attempts.attempts.spent
    }

    fn save(&self) -> CallProgressData {
        let pending = self.attempts.save();
        let PendingCall { call, attempts, spent, is_pausing, is_started, .. } = pending;
        let began = self.began;
        CallProgressData::Running { call, attempts, spent, is_pausing, is_started, began }
    }
}
