//! A turn that goes on: performs what the conversation wants.

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
    core::{Core, Next},
    error::SessionError,
    event::SessionEvent,
    state::Session,
};
use crate::{
    heard::{Heard, HeardCall},
    task_session::core::{
        calls::NewCall,
        reading::{Read, Reading},
    },
};

/// A turn that goes on while it is polled: as a stream of what happens, or by awaiting the response.
///
/// Dropping it drops the call of the model and the calls of tools that are in flight, and leaves in the
/// session what was taken until then.
#[must_use = "a turn does nothing unless it is polled"]
pub struct ActiveTurn<'s> {
    session: &'s mut Session,
    activity: Activity,
    events: VecDeque<SessionEvent>,
    result: Option<Result<String, SessionError>>,
}

/// What a turn is at.
enum Activity {
    /// Something has to be begun.
    Idle,
    Asking(Box<Asking>),
    Calling {
        waiting: VecDeque<NewCall>,
        running: FuturesUnordered<RunningCall>,
    },
    Over,
}

/// A call of the model, and what was read of its reply.
struct Asking {
    call: HeardCall,
    reading: Reading,
}

/// A call of a tool, and what it came to.
type RunningCall = BoxFuture<'static, (NewCall, Result<Value, String>)>;

/// So much of a refusal is shown.
const MAX_SHOWN_BYTES: usize = 500;

impl Session {
    /// A message of the user, tagged `usr1`, `usr2` and so on, and the turn that it begins.
    ///
    /// The message is taken at once, and the turn goes on while it is polled. One that was dropped, or could
    /// not go on, is left [unfinished](Self::is_unfinished): then this fails with
    /// [`SessionError::Unfinished`].
    pub fn user(&mut self, text: impl Into<String>) -> ActiveTurn<'_> {
        match self.core.user(text.into()) {
            Ok(()) => ActiveTurn::new(self),
            Err(error) => ActiveTurn::failed(self, error),
        }
    }

    /// Goes on with the turn that has no response yet, with its limits anew; `None` if there is none. Calls
    /// that have no result are run again.
    pub fn continue_turn(&mut self) -> Option<ActiveTurn<'_>> {
        if !self.is_unfinished() {
            return None;
        }
        self.core.begin_again();
        Some(ActiveTurn::new(self))
    }
}

impl<'s> ActiveTurn<'s> {
    pub(super) fn new(session: &'s mut Session) -> Self {
        Self { session, activity: Activity::Idle, events: VecDeque::new(), result: None }
    }

    /// A turn that can't begin.
    pub(super) fn failed(session: &'s mut Session, error: SessionError) -> Self {
        let mut turn = Self::new(session);
        turn.end(Err(error));
        turn
    }

    /// The session as it stands now.
    #[must_use]
    pub const fn session(&self) -> &Session {
        self.session
    }

    /// Goes on to the end, and gives the response.
    ///
    /// # Errors
    ///
    /// Why the turn can't go on. What was taken stays in the session.
    pub async fn finish(mut self) -> Result<String, SessionError> {
        while self.next().await.is_some() {}
        // There is a result once nothing happens any more.
        self.result.unwrap_or(Err(SessionError::Unfinished))
    }

    fn end(&mut self, result: Result<String, SessionError>) {
        self.activity = Activity::Over;
        self.result = Some(result.clone());
        self.events.push_back(SessionEvent::Ended(result));
    }

    /// Begins what has to happen next.
    fn begin(&mut self) {
        match self.session.core.next() {
            Ok(Next::Ask { prompt, round, attempt }) => {
                self.events.push_back(SessionEvent::Asked { round, attempt });
                let limit = self.session.core.limits.timeout;
                let (model, request) =
                    (Arc::clone(&self.session.model), self.session.request(prompt));
                let call = HeardCall::new(model, request, limit);
                let asking = Asking { call, reading: Reading::default() };
                self.activity = Activity::Asking(Box::new(asking));
            }
            Ok(Next::Call(calls)) => {
                let running = FuturesUnordered::new();
                self.activity = Activity::Calling { waiting: calls.into(), running };
            }
            Ok(Next::Nothing) => {
                let response = response_of(&self.session.core);
                self.end(Ok(response));
            }
            Err(error) => self.end(Err(error)),
        }
    }

    fn poll_model(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Activity::Asking(asking) = &mut self.activity else {
            return Poll::Ready(());
        };
        let Asking { call, reading } = &mut **asking;
        let core = &self.session.core;
        match std::task::ready!(call.poll_heard(cx)) {
            Heard::Text(piece) => {
                let news = reading.push(core, &piece);
                self.events.push_back(SessionEvent::Delta(piece));
                self.events.extend(news);
                if reading.is_over() {
                    // What the model says from here on is not read, and not paid for.
                    self.session.usage += Usage::for_call(0, 0);
                    self.take();
                }
            }
            Heard::Restart => {
                *reading = Reading::default();
                self.events.push_back(SessionEvent::Restarted);
            }
            Heard::End(reply) => self.hear_end(reply),
        }
        Poll::Ready(())
    }

    fn hear_end(&mut self, reply: Result<ModelReply, ModelError>) {
        let Activity::Asking(asking) = &mut self.activity else { return };
        let reading = &mut asking.reading;
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => return self.end(Err(error.into())),
        };
        self.session.usage += reply.usage;
        let core = &self.session.core;
        if reading.is_empty() {
            self.events.extend(reading.push(core, &reply.text));
        }
        if !reading.is_over() {
            let is_cut_off = reply.finish == FinishReason::Length;
            self.events.extend(reading.finish(core, is_cut_off));
        }
        match reply.finish {
            FinishReason::Refusal => {
                let said = data::truncate(&reply.text, MAX_SHOWN_BYTES);
                self.end(Err(SessionError::Declined(said)));
            }
            FinishReason::Length if reading.is_fruitless() => {
                self.end(Err(SessionError::Truncated));
            }
            _ => self.take(),
        }
    }

    /// Takes what was read of a reply.
    fn take(&mut self) {
        let activity = std::mem::replace(&mut self.activity, Activity::Idle);
        let Activity::Asking(asking) = activity else { return };
        let Read { blocks, refused } = asking.reading.end();
        let findings = self.session.core.take(blocks);
        self.events.extend(findings.into_iter().map(SessionEvent::Finding));
        let Some((reply, diagnostics)) = refused else {
            self.session.core.accept();
            return;
        };
        let refused = self.session.core.refuse(&reply, &diagnostics);
        let will_retry = refused.is_ok();
        self.events.push_back(SessionEvent::Refused { diagnostics, will_retry });
        if let Err(error) = refused {
            self.end(Err(error));
        }
    }

    fn poll_tools(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Activity::Calling { waiting, running } = &mut self.activity else {
            return Poll::Ready(());
        };
        let core = &mut self.session.core;
        while running.len() < core.limits.concurrency.max(1)
            && let Some(call) = waiting.pop_front()
        {
            let NewCall { id, tool, arguments, .. } = call.clone();
            self.events.push_back(SessionEvent::Calling { id, tool, arguments });
            running.push(run(core, call));
        }
        if !self.events.is_empty() {
            return Poll::Ready(());
        }
        if let Some((call, result)) = std::task::ready!(running.poll_next_unpin(cx)) {
            core.answer(&call.id, &result);
            let NewCall { id, tool, .. } = call;
            self.events.push_back(SessionEvent::Called { id, tool, result });
        } else {
            self.activity = Activity::Idle;
        }
        Poll::Ready(())
    }
}

/// A call of a tool, within its time.
fn run(core: &Core, call: NewCall) -> RunningCall {
    let limit = core.limits.tool_timeout;
    let begun = core.tools.begin(&call.tool, call.arguments.clone());
    Box::pin(async move {
        // What was checked before can't be refused now.
        let Ok(running) = begun else { return (call, Err("it can't be called".to_owned())) };
        let result = match with_timeout(limit, running).await {
            Some(ended) => ended.map_err(|error: FunctionError| error.to_string()),
            None => Err(format!("it took longer than {:?}", limit.unwrap_or_default())),
        };
        (call, result)
    })
}

/// The response of the last turn.
fn response_of(core: &Core) -> String {
    let mut blocks = core.trace.blocks.iter().rev();
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
                Activity::Idle => self.begin(),
                Activity::Asking(_) => std::task::ready!(self.poll_model(cx)),
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
