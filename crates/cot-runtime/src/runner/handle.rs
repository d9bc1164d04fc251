//! Orders to a run from outside: pause, resume, cancel.

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

/// Steers a run from anywhere: another task, another thread, an observer.
///
/// Cheap to clone. Once the run is over or dropped, its methods do nothing.
#[derive(Clone)]
pub struct RunHandle {
    control: Arc<Control>,
}

impl RunHandle {
    pub(crate) fn new(control: &Arc<Control>) -> Self {
        Self { control: Arc::clone(control) }
    }

    /// Has the run wait at the next task boundary: a task that has begun is finished first, with all
    /// its attempts.
    pub fn pause(&self) {
        let mut orders = self.control.lock();
        if orders.pause == Pause::No && !orders.is_over {
            orders.pause = Pause::Asked;
        }
    }

    /// Lets a paused run go on, or takes back a pause that has not been reached.
    pub fn resume(&self) {
        self.control.order(|orders| orders.pause = Pause::No);
    }

    /// Whether the run waits at a task boundary now. It does not right after [`pause`](Self::pause),
    /// while the task before the boundary is still being run.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.control.lock().pause == Pause::Reached
    }

    /// Answers the question of the human task that the run waits at. The answer is validated like a
    /// model's reply; the future gives what was wrong with it, and the run waits for another one. The
    /// run has to be polled meanwhile.
    ///
    /// # Errors
    ///
    /// When the answer is not valid or can't be JSON, when no question is asked, and when the run is
    /// over.
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

    /// Ends the run, also while it is paused. The model call in flight is dropped, what was committed
    /// stays, and the outcome says why. Of several reasons the first counts.
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

/// What a run and its handles share.
#[derive(Default)]
pub(crate) struct Control(Mutex<Orders>);

#[derive(Default)]
struct Orders {
    pause: Pause,
    cancel: Option<String>,
    answers: VecDeque<Answer>,
    /// Changes of the state.
    changes: VecDeque<StateChange>,
    /// Whom to wake when an order comes.
    waker: Option<Waker>,
    /// Whether no order can be obeyed any more.
    is_over: bool,
}

/// An answer to the question of a human task.
pub(crate) struct Answer {
    pub(crate) value: Value,
    pub(crate) told: Told,
}

/// Who is told what became of an answer; dropping it says that the run is over.
pub(crate) struct Told(oneshot::Sender<Handled>);

impl Told {
    pub(crate) fn tell(self, handled: Handled) {
        // Whoever dropped the future does not want to know.
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

/// A run's end of what it shares with its handles, which learn so when it is gone.
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

/// What a run has to do now.
pub(crate) enum Order {
    GoOn,
    /// Say that the run is paused, and ask again.
    SayPaused,
    /// Wait to be woken.
    Wait,
    Cancel(String),
    Change(StateChange),
}

impl Control {
    /// What the run has to do now. Any later order wakes `waker`.
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

    /// Has the run change its state between two tasks.
    pub(crate) fn change_state(&self, change: StateChange) {
        self.order(|orders| orders.changes.push_back(change));
    }

    /// The next answer that somebody gave.
    pub(crate) fn take_answer(&self) -> Option<Answer> {
        self.lock().answers.pop_front()
    }

    /// Takes no more orders. Whoever waits to hear of an answer hears that the run is over.
    pub(crate) fn close(&self) {
        let over = Orders { is_over: true, ..Orders::default() };
        let left = mem::replace(&mut *self.lock(), over);
        // Dropped without the lock: it wakes others, who may use a handle.
        drop(left);
    }

    fn order(&self, give: impl FnOnce(&mut Orders)) {
        let mut orders = self.lock();
        if orders.is_over {
            return;
        }
        give(&mut orders);
        let waker = orders.waker.take();
        // Waking may run foreign code, which may use a handle.
        drop(orders);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// A panic elsewhere can't leave the orders half written.
    fn lock(&self) -> MutexGuard<'_, Orders> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
