//! The handle of a run: pause, resume, answer, cancel.

use std::{
    collections::VecDeque,
    fmt, mem,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

use cot_engine::{EventOutcome, MockMode, UpdateError};
use cot_schema::internal::shallow_value;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::runner::{
    error::AnswerError,
    state_change::{Change, StateChange},
};

/// Controls a run from another task, another thread or an observer.
///
/// Cloning it is cheap. Once the run has ended or was dropped, its methods have no effect.
#[derive(Clone)]
pub struct RunHandle {
    control: Arc<Control>,
}

impl RunHandle {
    pub(crate) fn new(control: &Arc<Control>) -> Self {
        Self { control: Arc::clone(control) }
    }

    /// Pauses the run at the next task boundary. A task that has started is finished first, including its
    /// retries.
    pub fn pause(&self) {
        let mut state = self.control.lock();
        if state.pause == Pause::Off && !state.is_closed {
            state.pause = Pause::Requested;
        }
    }

    /// Continues a paused run, or cancels a pause that has not been reached.
    pub fn resume(&self) {
        self.control.update(|state| state.pause = Pause::Off);
    }

    /// Returns whether the run is paused at a task boundary. Right after [`pause`](Self::pause) it is not,
    /// as the current task is still running.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.control.lock().pause == Pause::Reached
    }

    /// Answers the question of the current human task. The answer is validated like a model's reply; if it
    /// is rejected, the future returns the issues and the run waits for another answer. The run has to be
    /// polled meanwhile.
    ///
    /// # Errors
    ///
    /// If the answer is not valid or can't be written as JSON, if no question is asked, or if the run has
    /// ended.
    pub fn answer<T: Serialize + ?Sized>(
        &self,
        answer: &T,
    ) -> impl Future<Output = Result<(), AnswerError>> + Send + use<T> {
        let (sender, receiver) = oneshot::channel();
        let value = serde_json::to_value(answer).and_then(shallow_value);
        let value = value.map(|value| {
            let answer = SubmittedAnswer { value, ack: AnswerAck(sender) };
            self.control.update(|state| state.answers.push_back(answer));
        });
        async move {
            value.map_err(AnswerError::Json)?;
            match receiver.await {
                Ok(EventOutcome::Applied) => Ok(()),
                Ok(EventOutcome::Refused(issues)) => Err(AnswerError::Refused(issues)),
                Ok(EventOutcome::Stale) => Err(AnswerError::NotAsked),
                Ok(EventOutcome::NotRunning) | Err(_) => Err(AnswerError::Over),
            }
        }
    }

    /// Changes which tasks are answered by their mocks, from the next task boundary on: all with `true`, none with
    /// `false`, or some by their names. It replaces the mode that [`Runner::mock_mode`](crate::Runner::mock_mode)
    /// has set, and is part of the run when it is resumed. The current task is finished first, including its
    /// retries; so is a sub-process.
    ///
    /// The future resolves when the mode is changed and, if the run is stored, durable. The run has to be polled
    /// meanwhile. Dropping the future does not cancel the change.
    ///
    /// A task that asks a model again and for which the runner has none halts the run: its start has checked only
    /// the models that the first mode needs.
    ///
    /// # Errors
    ///
    /// If the mode names an unknown task, a task has no mock that needs one, or the run ends before it reaches a
    /// boundary.
    pub fn set_mock_mode<M: Into<MockMode>>(
        &self,
        mode: M,
    ) -> impl Future<Output = Result<(), UpdateError>> + Send + use<M> {
        let (change, changed) = StateChange::new(Change::MockMode(mode.into()));
        self.control.change_state(change);
        changed
    }

    /// Cancels the run, also while it is paused. Calls in flight are dropped, committed outputs stay, and
    /// the outcome contains the reason. If several reasons are given, the first one counts.
    pub fn cancel(&self, reason: impl Into<String>) {
        let reason = reason.into();
        self.control.update(|state| {
            state.cancel.get_or_insert(reason);
        });
    }
}

impl fmt::Debug for RunHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunHandle").field("is_paused", &self.is_paused()).finish_non_exhaustive()
    }
}

/// The state that a run shares with its handles.
#[derive(Default)]
pub(crate) struct Control(Mutex<ControlState>);

#[derive(Default)]
struct ControlState {
    pause: Pause,
    cancel: Option<String>,
    answers: VecDeque<SubmittedAnswer>,
    /// Changes that wait for a task boundary.
    changes: VecDeque<StateChange>,
    /// The waker of the run, called when a command arrives.
    waker: Option<Waker>,
    /// Whether the run has ended and accepts no more commands.
    is_closed: bool,
}

/// An answer to the question of a human task.
pub(crate) struct SubmittedAnswer {
    pub(crate) value: Value,
    pub(crate) ack: AnswerAck,
}

/// Sends the caller the result of an answer. If dropped, the caller learns that the run has ended.
pub(crate) struct AnswerAck(oneshot::Sender<EventOutcome>);

impl AnswerAck {
    pub(crate) fn send(self, handled: EventOutcome) {
        // The caller may have dropped the future.
        let _ = self.0.send(handled);
    }
}

#[derive(Default, PartialEq, Eq)]
enum Pause {
    #[default]
    Off,
    Requested,
    Reached,
}

/// The run's end of the shared state. Dropping it closes the handles.
pub(crate) struct RunControl(Arc<Control>);

impl RunControl {
    pub(crate) fn new(control: &Arc<Control>) -> Self {
        Self(Arc::clone(control))
    }
}

impl Deref for RunControl {
    type Target = Control;

    fn deref(&self) -> &Control {
        &self.0
    }
}

impl Drop for RunControl {
    fn drop(&mut self) {
        self.close();
    }
}

/// The next action of a run, as far as its handles decide it.
pub(crate) enum Command {
    Continue,
    /// Emit the event that the run is paused, and poll again.
    EmitPaused,
    /// Wait for the waker.
    Wait,
    Cancel(String),
    ChangeState(StateChange),
}

impl Control {
    /// Returns the next action of the run, and registers `waker` for later commands.
    pub(crate) fn next_command(
        &self,
        waker: &Waker,
        at_boundary: bool,
        between_tasks: bool,
    ) -> Command {
        let mut state = self.lock();
        if let Some(reason) = state.cancel.take() {
            return Command::Cancel(reason);
        }
        if between_tasks && let Some(change) = state.changes.pop_front() {
            return Command::ChangeState(change);
        }
        match &mut state.waker {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        if !at_boundary || state.pause == Pause::Off {
            return Command::Continue;
        }
        match mem::replace(&mut state.pause, Pause::Reached) {
            Pause::Reached => Command::Wait,
            _ => Command::EmitPaused,
        }
    }

    /// Queues a change, which is applied between two tasks.
    pub(crate) fn change_state(&self, change: StateChange) {
        self.update(|state| state.changes.push_back(change));
    }

    /// Takes the next answer from a handle.
    pub(crate) fn take_answer(&self) -> Option<SubmittedAnswer> {
        self.lock().answers.pop_front()
    }

    /// Rejects all answers, since a run that is paused before its next task asks no question.
    pub(crate) fn reject_answers(&self) {
        while let Some(answer) = self.take_answer() {
            answer.ack.send(EventOutcome::Stale);
        }
    }

    /// Rejects further commands. Callers that wait for the result of an answer learn that the run has ended.
    pub(crate) fn close(&self) {
        let closed = ControlState { is_closed: true, ..ControlState::default() };
        let left = mem::replace(&mut *self.lock(), closed);
        // Dropped without the lock: dropping wakes other tasks, which may use a handle.
        drop(left);
    }

    fn update(&self, change: impl FnOnce(&mut ControlState)) {
        let mut state = self.lock();
        if state.is_closed {
            return;
        }
        change(&mut state);
        let waker = state.waker.take();
        // Waking may run other code, which may use a handle.
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Locks the shared state. A panic of another thread can't leave it inconsistent.
    fn lock(&self) -> MutexGuard<'_, ControlState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
