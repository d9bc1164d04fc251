//! A running turn.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use cot_engine::{Approval, CallId, Question};
use cot_model::BoxFuture;
use cot_runtime::ActiveRun;
use futures_core::Stream;
use futures_util::{FutureExt, StreamExt};

use super::{
    conversation::{
        process::{Conversation, ConversationTask, Decision, Message},
        reply_parser::ReplyParser,
        stop::StopReason,
    },
    error::SessionError,
    event::SessionEvent,
    failure::{describe_ending, describe_error, describe_failure},
    session::Session,
};

/// A running turn. Poll it as a stream of events, or await it for the response.
///
/// Dropping it cancels the model call and the tool calls in flight. The session keeps what was accepted
/// before.
#[must_use = "a turn does nothing unless it is polled"]
pub struct ActiveTurn<'s> {
    pub(super) session: &'s mut Session,
    pub(super) run: Option<Box<ActiveRun<Conversation>>>,
    /// What the run does at present.
    phase: Phase,
    /// The parser of the reply that is being received.
    pub(super) parser: Option<ReplyParser>,
    pub(super) events: VecDeque<SessionEvent>,
    /// The question that was answered last.
    answered: Option<CallId>,
    /// Whether the limits are renewed when the turn reaches them: a stored turn was continued.
    renews_limits: bool,
    /// Whether the message of the session was sent to the run.
    pub(super) is_sent: bool,
    approval: Option<(CallId, BoxFuture<'static, Approval>)>,
    /// Why the turn stops, when the run asks what to do.
    pub(super) error: Option<SessionError>,
    result: Option<Result<String, SessionError>>,
}

/// What the run of a turn does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It has not started.
    Idle,
    /// It removes the turn before this one.
    Abandoning,
    /// It was started, and has not yet been compared with the session.
    Starting,
    Running,
    Over,
}

impl Session {
    /// Adds a message of the user, tagged `usr1`, `usr2` and so on, and starts a turn.
    ///
    /// The message is added at once; the turn runs when it is polled. A turn that was dropped or failed
    /// stays [unfinished](Self::is_unfinished); then this method fails with [`SessionError::Unfinished`].
    pub fn user(&mut self, text: impl Into<String>) -> ActiveTurn<'_> {
        if self.is_unfinished() {
            let mut turn = ActiveTurn::new(self);
            turn.end(Err(SessionError::Unfinished));
            return turn;
        }
        let (text, context) = (text.into(), &self.context);
        self.view.change(|state| state.start_turn(&text, context));
        self.pending.message = Some(text);
        ActiveTurn::new(self)
    }

    /// Continues the unfinished turn with new limits. Returns `None` if there is none. Calls without a
    /// result are repeated, except those of tools that are called [once](crate::tools::Tool::once).
    pub fn continue_turn(&mut self) -> Option<ActiveTurn<'_>> {
        if !self.is_unfinished() {
            return None;
        }
        self.pending.continues = self.pending.message.is_none();
        Some(ActiveTurn::new(self))
    }
}

impl<'s> ActiveTurn<'s> {
    fn new(session: &'s mut Session) -> Self {
        Self {
            session,
            run: None,
            phase: Phase::Idle,
            parser: None,
            events: VecDeque::new(),
            answered: None,
            renews_limits: false,
            is_sent: false,
            approval: None,
            error: None,
            result: None,
        }
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
        self.result.take().unwrap_or(Err(SessionError::Unfinished))
    }

    fn end(&mut self, result: Result<String, SessionError>) {
        self.release_run();
        self.phase = Phase::Over;
        self.result = Some(result.clone());
        self.events.push_back(SessionEvent::Ended(result));
    }

    fn release_run(&mut self) {
        if let Some(run) = self.run.take() {
            self.session.keep_run(*run);
        }
    }

    fn start(&mut self) {
        let (phase, started) = match self.session.start_abandoning() {
            Some(started) => (Phase::Abandoning, started),
            None => (Phase::Starting, self.session.start_run()),
        };
        match started {
            Ok(run) => (self.run, self.phase) = (Some(Box::new(run)), phase),
            Err(error) => self.end(Err(describe_error(&error))),
        }
    }

    /// Compares the session with the run, once the run is known.
    fn meet_run(&mut self) {
        if self.phase == Phase::Starting
            && let Some(run) = &self.run
            && !run.is_opening()
            && let Some(state) = run.machine().state()
        {
            if run.machine().task() != Some(ConversationTask::Stopped) {
                let is_starting = run.machine().task() == Some(ConversationTask::Begin);
                let is_stored = self.session.is_stored();
                let pending = &mut self.session.pending;
                self.renews_limits = pending.continues && !is_starting && is_stored;
                pending.continues &= is_starting;
            }
            self.session.meet_run(state);
            self.phase = Phase::Running;
        }
    }

    /// Handles the end of the run, which a conversation has only if it fails or is ended by a person.
    fn handle_end(&mut self) {
        let Some(run) = self.run.take() else { return };
        let error = match run.machine().ending() {
            Some(ending) => {
                self.run = Some(run);
                describe_ending(&ending)
            }
            None => describe_failure(*run),
        };
        self.end(Err(error));
    }

    /// Answers the question that the run waits at, or ends the turn there. Returns whether the run or the
    /// turn can go on.
    fn handle_wait(&mut self, cx: &mut Context<'_>) -> bool {
        self.meet_run();
        let question = self.run.as_ref().and_then(|run| run.open_question());
        let Some(question) = question else { return false };
        if self.answered == Some(question.id) {
            return false;
        }
        let is_abandoning = self.phase == Phase::Abandoning;
        let pending = &mut self.session.pending;
        match question.task {
            ConversationTask::User if is_abandoning => {
                pending.abandons = false;
                (self.run, self.phase) = (None, Phase::Idle);
            }
            ConversationTask::User => match pending.message.clone() {
                Some(text) => {
                    self.is_sent = true;
                    self.answer(question.id, &Message { text });
                }
                None => {
                    let response = self.session.view.state.last_response();
                    self.end(Ok(response.unwrap_or_default()));
                }
            },
            ConversationTask::Stopped if is_abandoning => {
                self.answer(question.id, &Decision::Abandon);
            }
            ConversationTask::Stopped if pending.continues || self.takes_new_limits() => {
                self.session.pending.continues = false;
                self.error = None;
                self.answer(question.id, &Decision::Continue);
            }
            ConversationTask::Stopped => {
                let error = self.error.take();
                self.end(Err(error.unwrap_or(SessionError::Unfinished)));
            }
            _ if is_abandoning => {
                self.answer(question.id, &Approval::deny("the turn is abandoned"));
            }
            _ => match question.as_question() {
                Some(asked) => return self.poll_approval((question.id, asked), cx),
                None => return false,
            },
        }
        true
    }

    /// Returns whether the turn stopped at limits that are to be renewed, once.
    fn takes_new_limits(&mut self) -> bool {
        let stop = self.session.view.state.stop();
        let is_limit =
            matches!(stop, Some(StopReason::Rounds { .. } | StopReason::Rejected { .. }));
        is_limit && std::mem::take(&mut self.renews_limits)
    }

    /// Answers the question whether a tool may be called. Returns whether it is answered.
    fn poll_approval(
        &mut self,
        (id, question): (CallId, &Arc<Question>),
        cx: &mut Context<'_>,
    ) -> bool {
        let Some(approver) = &self.session.approver else {
            let waits = self.session.is_stored();
            if !waits {
                self.answer(id, &Approval::deny("nobody can be asked"));
            }
            return !waits;
        };
        let approval = match &mut self.approval {
            Some((asked, approval)) if *asked == id => approval,
            _ => &mut self.approval.insert((id, approver(Arc::clone(question)))).1,
        };
        let Poll::Ready(approval) = approval.poll_unpin(cx) else { return false };
        self.approval = None;
        self.answer(id, &approval);
        true
    }

    fn answer(&mut self, question: CallId, answer: &impl serde::Serialize) {
        self.answered = Some(question);
        if let Some(run) = &self.run {
            // The answer matches its schema.
            drop(run.handle().answer(answer));
        }
    }
}

impl Stream for ActiveTurn<'_> {
    type Item = SessionEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<SessionEvent>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Poll::Ready(Some(event));
            }
            if self.phase == Phase::Over {
                return Poll::Ready(None);
            }
            let Some(run) = &mut self.run else {
                self.start();
                continue;
            };
            match run.poll_next_unpin(cx) {
                Poll::Ready(Some(event)) if self.phase != Phase::Abandoning => {
                    self.meet_run();
                    self.handle_event(event);
                }
                Poll::Ready(Some(_)) => {}
                Poll::Ready(None) => self.handle_end(),
                Poll::Pending => {
                    if !self.handle_wait(cx) {
                        return Poll::Pending;
                    }
                }
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

impl Drop for ActiveTurn<'_> {
    fn drop(&mut self) {
        if self.phase != Phase::Abandoning {
            self.release_run();
        }
    }
}

impl fmt::Debug for ActiveTurn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActiveTurn").field("session", &self.session).finish_non_exhaustive()
    }
}
