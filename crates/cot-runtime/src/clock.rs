//! The only module that reads a clock: times, time limits and timers for the futures of directives.
#![expect(clippy::disallowed_methods, reason = "the one module that may use clocks")]

use std::{
    num::NonZeroU32,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::{Duration, SystemTime},
};

use cot_engine::{CallId, Event, FunctionError, internal::describe_panic};
use cot_model::{BoxFuture, ModelError, ModelErrorKind, ModelReply};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

use crate::model::hold;

/// Returns the wall-clock time, for times that outlive this program.
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Returns a function that reads the clock at its first call and returns that time at each call: for events
/// that are emitted together.
pub(crate) fn read_once() -> impl FnMut() -> SystemTime {
    let mut time = None;
    move || *time.get_or_insert_with(now)
}

/// Waits for a duration.
pub(crate) async fn wait(duration: Duration) {
    sleep(duration).await;
}

/// A bucket that holds what a minute brings, and fills up evenly.
#[derive(Debug)]
pub(crate) struct MinuteBucket {
    size: NonZeroU32,
    /// When the bucket is full again.
    full_at: Mutex<Instant>,
}

impl MinuteBucket {
    /// Creates a full bucket.
    pub(crate) fn new(size: NonZeroU32) -> Self {
        Self { size, full_at: Mutex::new(Instant::now()) }
    }

    pub(crate) const fn size(&self) -> u32 {
        self.size.get()
    }

    /// Takes `count` out of the bucket.
    ///
    /// # Errors
    ///
    /// Returns the time until the bucket holds that many. It never does for more than its size.
    pub(crate) fn take(&self, count: u32) -> Result<(), Duration> {
        let now = Instant::now();
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = (*full_at).max(now) + MINUTE * count / self.size.get();
        match taken.duration_since(now).saturating_sub(MINUTE) {
            Duration::ZERO => {
                *full_at = taken;
                Ok(())
            }
            wait => Err(wait),
        }
    }
}

const MINUTE: Duration = Duration::from_secs(60);

/// The future of a model call, which resolves to the event of its reply. The call starts at the first poll;
/// dropping the future cancels it.
///
/// Written by hand, since there are as many of these futures as there are runs: an async function would
/// reserve room for a timer that few calls have, and for each function nested in it.
pub(crate) struct ReplyFuture {
    id: CallId,
    limit: Option<Duration>,
    /// When the future was first polled.
    started: Option<Instant>,
    /// The timer of the time limit.
    end: Option<Pin<Box<Sleep>>>,
    answer: BoxFuture<'static, Result<Result<ModelReply, ModelError>, FunctionError>>,
}

impl ReplyFuture {
    pub(crate) fn new(
        id: CallId,
        limit: Option<Duration>,
        answer: impl Future<Output = Result<Result<ModelReply, ModelError>, FunctionError>>
        + Send
        + 'static,
    ) -> Self {
        Self { id, limit, started: None, end: None, answer: Box::pin(answer) }
    }

    /// Polls the timer; resolves to the time-out event.
    fn poll_end(&mut self, started: Instant, cx: &mut Context<'_>) -> Poll<Event> {
        let Some(end) = &mut self.end else { return Poll::Pending };
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Event::TimedOut { id: self.id, elapsed: started.elapsed() })
    }
}

impl Future for ReplyFuture {
    type Output = Event;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Event> {
        let reply = &mut *self;
        let started = *reply.started.get_or_insert_with(Instant::now);
        if let (Some(limit), None) = (reply.limit, &reply.end) {
            reply.end = Some(Box::pin(sleep(limit)));
        }
        hold::forget();
        // A panic can only break state of the model itself.
        let polled = catch_unwind(AssertUnwindSafe(|| reply.answer.as_mut().poll(cx)));
        let answer = match polled {
            Ok(Poll::Ready(answer)) => answer,
            Ok(Poll::Pending) => {
                hold::attribute(reply.id);
                return reply.poll_end(started, cx);
            }
            Err(payload) => {
                Ok(Err(ModelError::new(ModelErrorKind::Other, describe_panic(&*payload))))
            }
        };
        let (id, elapsed) = (reply.id, started.elapsed());
        Poll::Ready(match answer {
            Ok(Ok(reply)) => Event::Replied { id, reply, elapsed },
            Ok(Err(error)) => Event::Failed { id, error, elapsed },
            Err(panic) => Event::Ran { id, result: Err(panic), elapsed },
        })
    }
}

/// Runs a function of the process within its time limit; resolves to the event of its result.
pub(crate) fn run_function(
    id: CallId,
    limit: Option<Duration>,
    run: BoxFuture<'_, Result<Value, FunctionError>>,
) -> BoxFuture<'_, Event> {
    Box::pin(timed_event(id, limit, run, move |result, elapsed| Event::Ran { id, result, elapsed }))
}

/// Waits for a person's answer within the time limit; resolves to the event of the answer.
pub(crate) fn await_answer(
    id: CallId,
    limit: Option<Duration>,
    answer: BoxFuture<'static, Value>,
) -> BoxFuture<'static, Event> {
    let answer = AssertUnwindSafe(answer).catch_unwind();
    Box::pin(timed_event(id, limit, answer, move |answer, elapsed| match answer {
        Ok(answer) => Event::Answered { id, answer, elapsed },
        Err(payload) => {
            let reason = format!("what answers for people failed: {}", describe_panic(&*payload));
            Event::Cancelled { reason, calls: 0 }
        }
    }))
}

/// Waits until the time limit of a question ends; resolves to the time-out event.
pub(crate) fn answer_timeout(id: CallId, limit: Duration) -> BoxFuture<'static, Event> {
    await_answer(id, Some(limit), Box::pin(std::future::pending()))
}

/// Adds a random part of the jitter to the duration of a timer.
pub(crate) fn add_jitter(duration: Duration, jitter: Duration) -> Duration {
    duration.saturating_add(jitter.mul_f64(fastrand::f64()))
}

/// Sleeps; resolves to the event that wakes the task.
pub(crate) fn wake_after(id: CallId, duration: Duration) -> BoxFuture<'static, Event> {
    Box::pin(async move {
        sleep(duration).await;
        Event::Woken { id }
    })
}

/// Awaits a future within a time limit; `None` when the limit ends first. Without a limit there is no timer,
/// and no tokio runtime is needed.
pub async fn with_timeout<T>(
    limit: Option<Duration>,
    future: impl Future<Output = T>,
) -> Option<T> {
    match limit {
        Some(limit) => timeout(limit, future).await.ok(),
        None => Some(future.await),
    }
}

/// Awaits a future and measures how long it takes.
pub(crate) async fn measured<T>(future: impl Future<Output = T>) -> (T, Duration) {
    let started = Instant::now();
    let value = future.await;
    (value, started.elapsed())
}

/// Measures the time since its start.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A moment to come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Returns the moment after a duration; one beyond the range of the clock never comes.
    pub(crate) fn after(duration: Duration) -> Self {
        Self(Instant::now().checked_add(duration))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Waits for the moment.
    pub(crate) async fn wait(self) {
        match self.0 {
            Some(end) => sleep_until(end).await,
            None => std::future::pending().await,
        }
    }
}

/// Awaits a future within a time limit, and converts its output or the time-out into an event.
async fn timed_event<T>(
    id: CallId,
    limit: Option<Duration>,
    future: impl Future<Output = T>,
    event: impl FnOnce(T, Duration) -> Event,
) -> Event {
    let (ended, elapsed) = measured(with_timeout(limit, future)).await;
    match ended {
        Some(value) => event(value, elapsed),
        None => Event::TimedOut { id, elapsed },
    }
}
