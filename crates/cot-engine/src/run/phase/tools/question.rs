//! The rounds of a question.

use std::{mem, time::Duration};

use cot_model::ToolCall;

use super::{failure::RoundFailure, pending_round::CallingReply, round::RoundOutcome};
use crate::{
    process::child::DueDirectives,
    protocol::{
        directive::CallId,
        event::{Event, EventOutcome},
        open_calls::{Answerer, OpenCalls},
    },
    run::restore_context::RestoreContext,
    run::{
        attempts::{FailedAttempt, ReplyCost},
        context::{RunContext, Visit},
        end::{PhaseHandled, TaskEnd},
        phase::{question::ModelQuestion, reply::CallAnswer},
    },
    snapshot::{error::SnapshotError, tools::ToolsData},
    values::history::HistoryEntry,
};

impl OpenCalls for ModelQuestion {
    fn visit(&self, visit: &mut dyn FnMut(CallId, Answerer)) {
        match self.tools.as_ref().and_then(|tools| tools.pending.as_ref()) {
            Some(round) => round.visit(visit),
            None if self.mock.is_some() => visit(self.id, Answerer::Other),
            None => visit(self.id, Answerer::Model),
        }
    }
}

impl ModelQuestion {
    /// Returns whether tool calls are pending, instead of the question.
    pub(crate) fn is_calling_tools(&self) -> bool {
        self.tools.as_ref().is_some_and(|tools| tools.pending.is_some())
    }

    /// Restores the calls of tools from snapshot data. The calls of a task that has no tools any more are answered.
    pub(crate) fn restore_tools(
        &mut self,
        data: ToolsData,
        visit: &Visit,
        cx: &RestoreContext<'_>,
    ) -> Result<(), SnapshotError> {
        self.tools.get_or_insert_default().restore(data, visit, cx)
    }

    /// Takes the tool calls of a complete reply, if the task has tools and makes the calls itself.
    pub(crate) fn take_calls(&self, answer: &mut CallAnswer, cx: &RunContext<'_>) -> Vec<ToolCall> {
        let makes_calls = self.tools.is_some() && !cx.facts.reads(cx.visit.task);
        match answer {
            CallAnswer::Reply(reply) if makes_calls => mem::take(&mut reply.tool_calls),
            _ => Vec::new(),
        }
    }

    /// Returns the history entry of the calls of the visit.
    pub(crate) fn history_of_tools(&self, cx: &RunContext<'_>) -> Option<HistoryEntry> {
        self.tools.as_ref()?.history_entry(cx.facts, cx.visit.task)
    }

    /// Passes the results of the calls on to `found_in`, whose sources can be tools.
    pub(crate) fn note_results(&self, cx: &mut RunContext<'_>) {
        if let Some(tools) = &self.tools {
            let results = tools.results(cx.facts);
            cx.host.notes().results = results;
        }
    }

    /// Starts the calls of a reply.
    pub(crate) fn start_round(
        &mut self,
        reply: CallingReply,
        cx: &mut RunContext<'_>,
    ) -> Option<TaskEnd> {
        let tools = self.tools.as_mut()?;
        tools.add_cost(reply.usage, reply.elapsed);
        // Without another call of the model, the results would be of no use.
        if let Some(failure) = RoundFailure::limit(&self.attempts, cx) {
            return Some(self.fail_round(failure, cx));
        }
        let tools = self.tools.as_mut()?;
        match tools.start_round(reply, cx) {
            Ok(true) => {
                tools.complete_round();
                self.ask_after_round(cx)
            }
            Ok(false) => None,
            Err(too_many) => Some(self.fail_round(too_many.into(), cx)),
        }
    }

    /// Lists the directives of the pending calls.
    pub(crate) fn poll_round(&mut self, cx: &mut RunContext<'_>, due: &mut DueDirectives<'_>) {
        let Self { tools, attempts, .. } = self;
        let directives = tools.as_mut().map(|tools| tools.directives(attempts, cx));
        directives.into_iter().flatten().for_each(|directive| due.push(directive));
    }

    /// Applies an event to the pending calls.
    pub(crate) fn handle_round(&mut self, event: Event, cx: &mut RunContext<'_>) -> PhaseHandled {
        let Some(tools) = &mut self.tools else { return PhaseHandled::STALE };
        match tools.handle(event, &mut self.attempts, cx) {
            RoundOutcome::Stale => PhaseHandled::STALE,
            RoundOutcome::Pending => PhaseHandled::applied(None),
            RoundOutcome::Refused(issues) => {
                PhaseHandled { handled: EventOutcome::Refused(issues), end: None }
            }
            RoundOutcome::Complete => PhaseHandled::applied(self.ask_after_round(cx)),
            RoundOutcome::Failed(failure) => {
                PhaseHandled::applied(Some(self.fail_round(failure, cx)))
            }
        }
    }

    /// Calls the model again with the answers of a round, unless a limit is reached.
    fn ask_after_round(&mut self, cx: &mut RunContext<'_>) -> Option<TaskEnd> {
        match RoundFailure::limit(&self.attempts, cx) {
            Some(failure) => Some(self.fail_round(failure, cx)),
            None => {
                self.ask_again(cx.facts);
                None
            }
        }
    }

    fn fail_round(&mut self, failure: RoundFailure, cx: &mut RunContext<'_>) -> TaskEnd {
        let RoundFailure { failure, reason, issues } = failure;
        if let Some(tools) = &mut self.tools {
            tools.drop_round(&reason.to_string(), cx);
        }
        let reply = self.with_cost_of_rounds(ReplyCost::without_reply(Duration::ZERO));
        self.record(FailedAttempt { failure, reply, issues }, false, cx);
        TaskEnd::failed(reason, mem::take(&mut self.attempts.failed))
    }

    /// Adds the cost of the rounds since the last attempt to that of a reply, which ends them.
    pub(crate) fn with_cost_of_rounds<'t>(&mut self, reply: ReplyCost<'t>) -> ReplyCost<'t> {
        match &mut self.tools {
            Some(tools) => tools.take_cost(reply),
            None => reply,
        }
    }
}
