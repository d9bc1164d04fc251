//! Drives one turn: calls the model and the tools.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::FunctionError;
use cot_model::{BoxFuture, FinishReason, ModelError, ModelReply, Usage};
use cot_runtime::internal::with_timeout;
use cot_task_format::{BlockKind, Expr, internal::data};
use futures_core::Stream;
use futures_util::{StreamExt, stream::FuturesUnordered};
use serde_json::Value;

use super::{
    conversation::{Conversation, NextAction},
    error::SessionError,
    event::SessionEvent,
    state::Session,
};
use crate::{
    streaming_call::{StreamEvent, StreamingCall},
    task_session::conversation::{
        calls::NewCall,
        reply_parser::{ParsedReply, ReplyParser},
    },
};

/// A running turn. Poll it as a stream of events, or await it for the response.
///
/// Dropping it cancels the model call and the tool calls in flight. The session keeps what was accepted
/// before.
#[must_use = "a turn does nothing unless it is polled"]
pub struct ActiveTurn<'s> {
    session: &'s mut Session,
    activity: Activity,
    events: VecDeque<SessionEvent>,
    result: Option<Result<String, SessionError>>,
}

/// The current activity of a turn.
enum Activity {
    /// The next action has not started.
    Idle,
    PendingReply(Box<PendingReply>),
    Calling {
        waiting: VecDeque<NewCall>,
        running: FuturesUnordered<RunningCall>,
    },
    Over,
}

/// A model call, and the parser of its reply.
struct PendingReply {
    call: StreamingCall,
    parser: ReplyParser,
}

/// A running tool call. It resolves to the call and its result.
type RunningCall = BoxFuture<'static, (NewCall, Result<Value, String>)>;

/// The limit up to which a refusal is quoted.
const MAX_SHOWN_BYTES: usize = 500;

impl Session {
    /// Adds a message of the user, tagged `usr1`, `usr2` and so on, and starts a turn.
    ///
    /// The message is added at once; the turn runs when it is polled. A turn that was dropped or failed
    /// stays [unfinished](Self::is_unfinished); then this method fails with [`SessionError::Unfinished`].
    pub fn user(&mut self, text: impl Into<String>) -> ActiveTurn<'_> {
        match self.conversation.start_turn(text.into()) {
            Ok(()) => ActiveTurn::new(self),
            Err(error) => ActiveTurn::failed(self, error),
        }
    }

    /// Continues the unfinished turn with new limits. Returns `None` if there is none. Calls without a
    /// result are repeated.
    pub fn continue_turn(&mut self) -> Option<ActiveTurn<'_>> {
        if !self.is_unfinished() {
            return None;
        }
        self.conversation.reset_limits();
        Some(ActiveTurn::new(self))
    }
}

impl<'s> ActiveTurn<'s> {
    pub(super) fn new(session: &'s mut Session) -> Self {
        Self { session, activity: Activity::Idle, events: VecDeque::new(), result: None }
    }

    /// Creates a turn that has already failed.
    pub(super) fn failed(session: &'s mut Session, error: SessionError) -> Self {
        let mut turn = Self::new(session);
        turn.end(Err(error));
        turn
    }

    /// Returns the session in its current state.
    #[must_use]
    pub const fn session(&self) -> &Session {
        self.session
    }

    /// Runs the turn to its end and returns the response.
    ///
    /// # Errors
    ///
    /// Fails if the turn can't continue. The session keeps what was accepted.
    pub async fn finish(mut self) -> Result<String, SessionError> {
        while self.next().await.is_some() {}
        // The stream ends only after a result was stored.
        self.result.unwrap_or(Err(SessionError::Unfinished))
    }

    fn end(&mut self, result: Result<String, SessionError>) {
        self.activity = Activity::Over;
        self.result = Some(result.clone());
        self.events.push_back(SessionEvent::Ended(result));
    }

    /// Starts the next action.
    fn start_next_action(&mut self) {
        match self.session.conversation.next_action() {
            Ok(NextAction::Ask { prompt, round, attempt }) => {
                self.events.push_back(SessionEvent::Asked { round, attempt });
                let limit = self.session.conversation.limits.timeout;
                let (model, request) =
                    (Arc::clone(&self.session.model), self.session.request(prompt));
                let call = StreamingCall::new(model, request, limit);
                let asking = PendingReply { call, parser: ReplyParser::default() };
                self.activity = Activity::PendingReply(Box::new(asking));
            }
            Ok(NextAction::Call(calls)) => {
                let running = FuturesUnordered::new();
                self.activity = Activity::Calling { waiting: calls.into(), running };
            }
            Ok(NextAction::Nothing) => {
                let response = last_response(&self.session.conversation);
                self.end(Ok(response));
            }
            Err(error) => self.end(Err(error)),
        }
    }

    fn poll_model(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Activity::PendingReply(asking) = &mut self.activity else {
            return Poll::Ready(());
        };
        let PendingReply { call, parser } = &mut **asking;
        let conversation = &self.session.conversation;
        match std::task::ready!(call.poll_event(cx)) {
            StreamEvent::Text(piece) => {
                let new_events = parser.push(conversation, &piece);
                self.events.push_back(SessionEvent::Delta(piece));
                self.events.extend(new_events);
                if parser.is_over() {
                    // The rest of the reply is cancelled, so its usage is unknown.
                    self.session.usage += Usage::for_call(0, 0);
                    self.apply_reply();
                }
            }
            StreamEvent::Restart => {
                *parser = ReplyParser::default();
                self.events.push_back(SessionEvent::Restarted);
            }
            StreamEvent::End(reply) => self.handle_reply(reply),
        }
        Poll::Ready(())
    }

    fn handle_reply(&mut self, reply: Result<ModelReply, ModelError>) {
        let Activity::PendingReply(asking) = &mut self.activity else { return };
        let parser = &mut asking.parser;
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => return self.end(Err(error.into())),
        };
        self.session.usage += reply.usage;
        let conversation = &self.session.conversation;
        if parser.is_empty() {
            self.events.extend(parser.push(conversation, &reply.text));
        }
        if !parser.is_over() {
            let is_cut_off = reply.finish == FinishReason::Length;
            self.events.extend(parser.finish(conversation, is_cut_off));
        }
        match reply.finish {
            FinishReason::Refusal => {
                let said = data::truncate(&reply.text, MAX_SHOWN_BYTES);
                self.end(Err(SessionError::Declined(said)));
            }
            FinishReason::Length if parser.is_without_result() => {
                self.end(Err(SessionError::Truncated));
            }
            _ => self.apply_reply(),
        }
    }

    /// Adds the accepted structures of the reply to the session.
    fn apply_reply(&mut self) {
        let activity = std::mem::replace(&mut self.activity, Activity::Idle);
        let Activity::PendingReply(asking) = activity else { return };
        let ParsedReply { blocks, rejection } = asking.parser.end();
        let findings = self.session.conversation.add_blocks(blocks);
        self.events.extend(findings.into_iter().map(SessionEvent::Finding));
        let Some((reply, diagnostics)) = rejection else {
            self.session.conversation.accept_reply();
            return;
        };
        let retry = self.session.conversation.reject_reply(&reply, &diagnostics);
        let will_retry = retry.is_ok();
        self.events.push_back(SessionEvent::Refused { diagnostics, will_retry });
        if let Err(error) = retry {
            self.end(Err(error));
        }
    }

    fn poll_tools(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Activity::Calling { waiting, running } = &mut self.activity else {
            return Poll::Ready(());
        };
        let conversation = &mut self.session.conversation;
        while running.len() < conversation.limits.concurrency.max(1)
            && let Some(call) = waiting.pop_front()
        {
            let NewCall { id, tool, arguments, .. } = call.clone();
            self.events.push_back(SessionEvent::Calling { id, tool, arguments });
            running.push(run_tool(conversation, call));
        }
        if !self.events.is_empty() {
            return Poll::Ready(());
        }
        if let Some((call, result)) = std::task::ready!(running.poll_next_unpin(cx)) {
            conversation.add_result(&call.id, &result);
            let NewCall { id, tool, .. } = call;
            self.events.push_back(SessionEvent::Called { id, tool, result });
        } else {
            self.activity = Activity::Idle;
        }
        Poll::Ready(())
    }
}

/// Calls a tool with the time limit of the session.
fn run_tool(conversation: &Conversation, call: NewCall) -> RunningCall {
    let limit = conversation.limits.tool_timeout;
    let call_future = conversation.tools.start(&call.tool, call.arguments.clone());
    Box::pin(async move {
        // The call was checked when the reply was parsed, so it can start.
        let Ok(running) = call_future else { return (call, Err("it can't be called".to_owned())) };
        let result = match with_timeout(limit, running).await {
            Some(ended) => ended.map_err(|error: FunctionError| error.to_string()),
            None => Err(format!("it took longer than {:?}", limit.unwrap_or_default())),
        };
        (call, result)
    })
}

/// Returns the response of the last turn.
fn last_response(conversation: &Conversation) -> String {
    let mut blocks = conversation.trace.blocks.iter().rev();
    let response = blocks.find(|block| block.kind == BlockKind::Response);
    response.map(|block| &block.content).and_then(Expr::as_text).unwrap_or_default().to_owned()
}

impl Stream for ActiveTurn<'_> {
    type Item = SessionEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<SessionEvent>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(Some(event));
            }
            match self.activity {
                Activity::Idle => self.start_next_action(),
                Activity::PendingReply(_) => std::task::ready!(self.poll_model(cx)),
                Activity::Calling { .. } => std::task::ready!(self.poll_tools(cx)),
                Activity::Over => return Poll::Ready(None),
            }
        }
    }
}

impl<'s> IntoFuture for ActiveTurn<'s> {
    type Output = Result<String, SessionError>;
    type IntoFuture = BoxFuture<'s, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.finish())
    }
}

impl fmt::Debug for ActiveTurn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveTurn").field("session", &self.session).finish_non_exhaustive()
    }
}
