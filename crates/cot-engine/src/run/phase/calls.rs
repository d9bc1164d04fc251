//! The phase of a task of tool calls.

use std::{mem, time::Duration};

use cot_model::{FunctionError, Usage};
use cot_schema::{Issues, internal::UntypedOutput};
use serde_json::Value;

use super::tools::{
    conversation::ToolConversation, failure::RoundFailure, pending_round::CallingReply,
    round::RoundOutcome,
};
use crate::{
    process::child::DueDirectives,
    protocol::{
        directive::{Action, CallId, FunctionCall},
        event::{Event, EventOutcome},
        open_calls::OpenCalls,
    },
    run::{
        attempts::{AttemptTarget, Attempts, FailedAttempt, ReplyCost},
        context::{RunContext, RunView, Visit},
        end::{PhaseHandled, TaskEnd},
        phase::{question::ModelQuestion, task_phase::TaskPhase},
        restore_context::RestoreContext,
    },
    snapshot::{
        data::{Delivery, PendingCall, PositionData},
        error::SnapshotError,
        tools::ToolsData,
    },
    values::{
        history::HistoryEntry,
        outcome::{Attempt, Failure, HaltReason},
    },
};

/// Performs the calls of a round that the state holds, or waits for the mock of the task.
#[derive(Debug)]
pub(crate) struct CallsPhase {
    /// The call of the mock.
    id: CallId,
    attempts: Attempts,
    /// The answer of the mock; created at the first poll.
    mock: Option<FunctionCall>,
    /// The round is created at the first poll. A mocked task has none.
    tools: Box<ToolConversation>,
}

impl CallsPhase {
    pub(crate) fn begin(cx: &mut RunContext<'_>) -> Self {
        let id = cx.facts.new_call();
        let tools = ToolConversation::begin(cx.facts, cx.visit, cx.host).unwrap_or_default();
        Self { id, attempts: Attempts::default(), mock: None, tools }
    }

    pub(crate) fn restore(
        mut pending: PendingCall,
        data: Option<Box<ToolsData>>,
        visit: &Visit,
        cx: &RestoreContext<'_>,
    ) -> Result<Self, SnapshotError> {
        let id = cx.check_call_id(pending.call)?;
        let mut tools = ToolConversation::begin(cx.facts, visit, cx.host).unwrap_or_default();
        if let Some(data) = data {
            tools.restore(*data, visit, cx)?;
        }
        Ok(Self { id, attempts: Attempts::restore(&mut pending), mock: None, tools })
    }

    /// Starts the calls of the state. Returns the end of the task if all of them are answered at once.
    fn start_round(&mut self, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        let calls = cx.host.tool_calls(cx.visit.task, &cx.facts.scope(cx.visit, None));
        let (text, usage, elapsed) = (String::new(), Usage::default(), Duration::ZERO);
        match self.tools.start_round(CallingReply { text, calls, usage, elapsed }, cx) {
            Ok(false) => None,
            Ok(true) => {
                self.tools.complete_round();
                Some(self.commit_round(cx))
            }
            Err(too_many) => Some(self.fail(too_many.into(), cx)),
        }
    }

    /// Commits the round whose calls are all answered.
    fn commit_round(&mut self, cx: &mut RunContext<'_>) -> TaskEnd {
        let history = self.tools.history_entry(cx.facts, cx.visit.task);
        let round = self.tools.rounds.pop().unwrap_or_default();
        let ReplyCost { elapsed, .. } =
            self.tools.take_cost(ReplyCost::without_reply(Duration::ZERO));
        match serde_json::to_value(round) {
            Ok(round) => self.commit(round, history, elapsed, cx),
            Err(error) => self.reject(Issues::at("$", error.to_string()), elapsed, cx),
        }
    }

    fn commit(
        &mut self,
        round: Value,
        history: Option<HistoryEntry>,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) -> TaskEnd {
        let read = cx.read(UntypedOutput::Value(round));
        let committed = read.and_then(|()| cx.commit_with(history, Usage::default(), elapsed));
        committed.unwrap_or_else(|issues| self.reject(issues, elapsed, cx))
    }

    /// Ends the task whose results were rejected. The calls are not performed again.
    fn reject(&mut self, issues: Issues, elapsed: Duration, cx: &mut RunContext<'_>) -> TaskEnd {
        cx.host.discard_output();
        self.record(Failure::Rejected, issues, elapsed, cx);
        TaskEnd::failed(HaltReason::Exhausted, self.take_attempts())
    }

    fn fail(&mut self, failure: RoundFailure, cx: &mut RunContext<'_>) -> TaskEnd {
        let RoundFailure { failure, reason, issues } = failure;
        self.tools.drop_round(&reason.to_string(), cx);
        let cost = self.tools.take_cost(ReplyCost::without_reply(Duration::ZERO));
        self.record(failure, issues, cost.elapsed, cx);
        TaskEnd::failed(reason, self.take_attempts())
    }

    fn record(
        &mut self,
        failure: Failure,
        issues: Issues,
        elapsed: Duration,
        cx: &mut RunContext<'_>,
    ) {
        let failed = FailedAttempt { failure, reply: ReplyCost::without_reply(elapsed), issues };
        self.attempts.record(AttemptTarget::task(cx.visit.task), failed, false, cx.host);
    }

    /// Applies the answer of the mock.
    fn handle_mock(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let Event::Ran { result, elapsed, id } = event else { return PhaseHandled::STALE };
        if id != self.id {
            return PhaseHandled::STALE;
        }
        self.attempts.add_time(elapsed);
        cx.facts.add_time(elapsed);
        PhaseHandled::applied(Some(match result {
            Ok(round) => self.commit(round, None, elapsed, cx),
            Err(error) => {
                self.record(Failure::Failed, Issues::at("$", error.to_string()), elapsed, cx);
                TaskEnd::failed(HaltReason::CodeFailed(error), self.take_attempts())
            }
        }))
    }
}

/// Returns the call that answers with the mock of the task, if the task is mocked.
fn mock_call(cx: &RunContext<'_>) -> Option<FunctionCall> {
    let answer = cx.mock(None).map_err(FunctionError::not_done).transpose()?;
    Some(FunctionCall::ready(answer))
}

impl TaskPhase for CallsPhase {
    fn poll(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) -> Option<TaskEnd> {
        if self.tools.pending.is_none() {
            if self.mock.is_none() {
                self.mock = mock_call(cx);
            }
            if let Some(mock) = &self.mock {
                let action = Action::RunFunction(mock.clone());
                due.push(cx.directive((self.id, self.attempts.number()), None, action));
                return None;
            }
            if let Some(end) = self.start_round(cx) {
                return Some(end);
            }
        }
        let directives = self.tools.directives(&self.attempts, cx);
        directives.into_iter().for_each(|directive| due.push(directive));
        None
    }

    fn handle(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        if self.tools.pending.is_none() {
            return self.handle_mock(event, cx);
        }
        match self.tools.handle(event, &mut self.attempts, cx) {
            RoundOutcome::Stale => PhaseHandled::STALE,
            RoundOutcome::Pending => PhaseHandled::applied(None),
            RoundOutcome::Refused(issues) => {
                PhaseHandled { handled: EventOutcome::Refused(issues), end: None }
            }
            RoundOutcome::Complete => PhaseHandled::applied(Some(self.commit_round(cx))),
            RoundOutcome::Failed(failure) => PhaseHandled::applied(Some(self.fail(failure, cx))),
        }
    }

    fn open_calls(&self) -> &dyn OpenCalls {
        match &self.tools.pending {
            Some(round) => round,
            None => &self.id,
        }
    }

    fn take_attempts(&mut self) -> Vec<Attempt> {
        mem::take(&mut self.attempts.failed)
    }

    fn current_question(&self, _: RunView<'_>) -> Result<ModelQuestion, String> {
        Err("a task of tool calls has no prompt".to_owned())
    }

    fn save(&self, visit: Delivery) -> Result<PositionData, SnapshotError> {
        let (pending, tools) = (self.attempts.save(self.id), self.tools.save());
        Ok(PositionData::CallingTools { visit, pending, tools })
    }
}
