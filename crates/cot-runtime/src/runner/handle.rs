//! The handle of a run: pause, resume, answer, cancel.

use std::{
    collections::VecDeque,
    fmt, mem,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Waker,
};

use cot_engine::Handled;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::runner::{error::AnswerError, state_change::StateChange};

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
        let mut orders = self.control.lock();
        if orders.pause == Pause::No && !orders.is_over {
            orders.pause = Pause::Asked;
        }
    }

    /// Continues a paused run, or cancels a pause that has not been reached.
    pub fn resume(&self) {
        self.control.order(|orders| orders.pause = Pause::No);
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
        let value = serde_json::to_value(answer);
        let value = value.map(|value| {
            let answer = Answer { value, told: Told(sender) };
            self.control.order(|orders| orders.answers.push_back(answer));
        });
        async move {
            value.map_err(AnswerError::Json)?;
            match receiver.await {
                Ok(Handled::Applied) => Ok(()),
                Ok(Handled::Refused(issues)) => Err(AnswerError::Refused(issues)),
                Ok(Handled::Stale) => Err(AnswerError::NotAsked),
                Ok(Handled::NotRunning) | Err(_) => Err(AnswerError::Over),
            }
        }
    }

    /// Cancels the run, also while it is paused. Calls in flight are dropped, committed outputs stay, and
    /// the outcome contains the reason. If several reasons are given, the first one counts.
    pub fn cancel(&self, reason: impl Into<String>) {
        let reason = reason.into();
        self.control.order(|orders| {
            orders.cancel.get_or_insert(reason);
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
pub(crate) struct Control(Mutex<Orders>);

#[derive(Default)]
struct Orders {
    pause: Pause,
    cancel: Option<String>,
    answers: VecDeque<Answer>,
    /// Changes of the state that wait for a task boundary.
    changes: VecDeque<StateChange>,
    /// The waker of the run, called when a command arrives.
    waker: Option<Waker>,
    /// Whether the run has ended and accepts no more commands.
    is_over: bool,
}

/// An answer to the question of a human task.
pub(crate) struct Answer {
    pub(crate) value: Value,
    pub(crate) told: Told,
}

/// Sends the caller the result of an answer. If dropped, the caller learns that the run has ended.
pub(crate) struct Told(oneshot::Sender<Handled>);

impl Told {
    pub(crate) fn tell(self, handled: Handled) {
        // The caller may have dropped the future.
        let _ = self.0.send(handled);
    }
}

#[derive(Default, PartialEq, Eq)]
enum Pause {
    #[default]
    No,
    Asked,
    Reached,
}

/// The run's end of the shared state. Dropping it closes the handles.
pub(crate) struct Steering(Arc<Control>);

impl Steering {
    pub(crate) fn new(control: &Arc<Control>) -> Self {
        Self(Arc::clone(control))
    }
}

impl Deref for Steering {
    type Target = Control;

    fn deref(&self) -> &Control {
        &self.0
    }
}

impl Drop for Steering {
    fn drop(&mut self) {
        self.close();
    }
}

/// The next action of a run, as far as its handles decide it.
pub(crate) enum Order {
    GoOn,
    /// Emit the event that the run is paused, and poll again.
    SayPaused,
    /// Wait for the waker.
    Wait,
    Cancel(String),
    Change(StateChange),
}

impl Control {
    /// Returns the next action of the run, and registers `waker` for later commands.
    pub(crate) fn consult(&self, waker: &Waker, at_boundary: bool, between_tasks: bool) -> Order {
        let mut orders = self.lock();
        if let Some(reason) = orders.cancel.take() {
            return Order::Cancel(reason);
        }
        if between_tasks && let Some(change) = orders.changes.pop_front() {
            return Order::Change(change);
        }
        match &mut orders.waker {
            Some(known) => known.clone_from(waker),
            none => *none = Some(waker.clone()),
        }
        if !at_boundary || orders.pause == Pause::No {
            return Order::GoOn;
        }
        match mem::replace(&mut orders.pause, Pause::Reached) {
            Pause::Reached => Order::Wait,
            _ => Order::SayPaused,
        }
    }

    /// Queues a change of the state, which is applied between two tasks.
    pub(crate) fn change_state(&self, change: StateChange) {
        self.order(|orders| orders.changes.push_back(change));
    }

    /// Takes the next answer from a handle.
    pub(crate) fn take_answer(&self) -> Option<Answer> {
        self.lock().answers.pop_front()
    }

    /// Rejects further commands. Callers that wait for the result of an answer learn that the run has ended.
    pub(crate) fn close(&self) {
        let over = Orders { is_over: true, ..Orders::default() };
        let left = mem::replace(&mut *self.lock(), over);
        // Dropped without the lock: dropping wakes other tasks, which may use a handle.
        drop(left);
    }

    fn order(&self, give: impl FnOnce(&mut Orders)) {
        let mut orders = self.lock();
        if orders.is_over {
            return;
        }
        give(&mut orders);
        let waker = orders.waker.take();
        // Waking may run other code, which may use a handle.
        drop(orders);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Locks the shared state. A panic of another thread can't leave it inconsistent.
    fn lock(&self) -> MutexGuard<'_, Orders> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
