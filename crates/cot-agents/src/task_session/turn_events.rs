//! Events of the run of a conversation as events of its session.

use cot_engine::{ProcessEvent, Route, RunEvent};
use cot_model::ToolResult;

use super::{
    conversation::{
        calls::read_result,
        process::{Conversation, ConversationOutput, ConversationTask, ReplyText},
        reply_parser::ReplyParser,
        state::ConversationState,
        stop::StopReason,
    },
    error::SessionError,
    event::SessionEvent,
    failure::describe_halt,
    turn::ActiveTurn,
    view::View,
};

impl ActiveTurn<'_> {
    /// Updates the session for an event of its run.
    pub(super) fn handle_event(&mut self, event: ProcessEvent<Conversation>) {
        match event {
            RunEvent::Prompt { task: ConversationTask::Model, .. } => self.handle_prompt(),
            RunEvent::Delta { text: Some(piece), .. } => {
                let mut parser = self.take_parser();
                let parsed = if parser.is_over() { Vec::new() } else { parser.push(&piece) };
                self.parser = Some(parser);
                self.events.push_back(SessionEvent::Delta(piece.as_ref().to_owned()));
                self.events.extend(parsed);
            }
            RunEvent::Delta { text: None, .. } => {
                self.parser = None;
                self.events.push_back(SessionEvent::Restarted);
            }
            RunEvent::ToolCalled { call, tool, .. } => {
                self.session.pending.continues = false;
                if let Some(pending) = self.session.view.state.call(call) {
                    let (id, arguments) = (pending.id.clone(), pending.arguments.clone());
                    self.events.push_back(SessionEvent::Calling { id, tool, arguments });
                }
            }
            RunEvent::ToolReturned { call, tool, result, .. } => {
                let result = match result {
                    Ok(text) => ToolResult::ok(text),
                    Err(text) => ToolResult::error(text),
                };
                let id = self.session.view.state.call(call).map(|pending| pending.id.clone());
                self.session.view.change(|state| state.add_result(call, &result));
                if let Some(id) = id {
                    let result = read_result(&result);
                    self.events.push_back(SessionEvent::Called { id, tool, result });
                }
            }
            RunEvent::Committed { output, .. } => self.handle_output(output),
            RunEvent::TaskFinished { route: Route::On(_), .. } => {
                self.session.pending.continues = false;
                let failure = self.run.as_ref().and_then(|run| run.machine().last_failure());
                self.error = failure.map(|failure| describe_halt(&failure.reason));
            }
            _ => {}
        }
    }

    fn handle_prompt(&mut self) {
        self.parser = None;
        self.session.pending.continues = false;
        let (round, attempt) = self.session.view.state.round_and_attempt();
        self.events.push_back(SessionEvent::Asked { round, attempt });
    }

    fn take_parser(&mut self) -> ReplyParser {
        let session = &self.session;
        let new = || ReplyParser::new(&session.context, session.view.state.has_plan());
        self.parser.take().unwrap_or_else(new)
    }

    fn handle_output(&mut self, output: ConversationOutput) {
        let context = self.session.context.clone();
        let pending = &mut self.session.pending;
        let view = &mut self.session.view;
        match output {
            ConversationOutput::User(message) => {
                let is_own = pending.message.as_ref() == Some(&message.text);
                if std::mem::take(&mut self.is_sent) && is_own {
                    pending.message = None;
                } else if pending.message.is_some() {
                    // The message of somebody else precedes that of the session.
                    view.change(ConversationState::abandon);
                }
                if !view.state.is_unfinished() {
                    view.change(|state| state.start_turn(&message.text, &context));
                }
            }
            ConversationOutput::Model(reply) => self.handle_reply(&reply),
            ConversationOutput::CallTools(round) => {
                view.change(|state| state.take_results(&round, &context));
            }
            ConversationOutput::Interrupted(round) => {
                for (call, result) in &round.calls {
                    let (id, tool, result) =
                        (call.id.clone(), call.name.clone(), read_result(result));
                    self.events.push_back(SessionEvent::Called { id, tool, result });
                }
                view.change(|state| state.take_results(&round, &context));
            }
            // The run can lack results that the view has.
            ConversationOutput::Stopped(_) => {
                if let Some(state) = self.run.as_ref().and_then(|run| run.machine().state()) {
                    *view = View::new(state.clone(), &context);
                }
            }
        }
        let view = &mut self.session.view;
        if let Some(error) = view.state.stop().and_then(StopReason::error) {
            self.error = Some(error);
        }
    }

    fn handle_reply(&mut self, reply: &ReplyText) {
        let mut parser = self.take_parser();
        if parser.is_empty() {
            self.events.extend(parser.parse_whole(&reply.text, reply.is_cut_off));
        } else if !parser.is_over() {
            self.events.extend(parser.finish(reply.is_cut_off));
        }
        let (context, view) = (self.session.context.clone(), &mut self.session.view);
        let parsed = reply.parse(&view.state, &context);
        let rejection = parsed.rejection.as_ref().map(|(_, diagnostics)| diagnostics.clone());
        let mut findings = view.change(|state| state.take_reply(parsed, &context));
        if !view.state.is_unfinished() {
            findings.extend(view.open_todos());
        }
        self.events.extend(findings.into_iter().map(SessionEvent::Finding));
        let Some(diagnostics) = rejection else { return };
        let attempts = self.session.view.state.round_and_attempt().1 - 1;
        let will_retry = attempts <= context.limits().retries;
        if !will_retry {
            let diagnostics = diagnostics.clone();
            self.error = Some(SessionError::Refused { attempts, diagnostics });
        }
        self.events.push_back(SessionEvent::Refused { diagnostics, will_retry });
    }
}
