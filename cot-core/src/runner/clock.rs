//! Directives against the clock: the only place in the library that looks at one.
#![expect(clippy::disallowed_methods, reason = "the one module that may use clocks")]

use std::{
    panic::AssertUnwindSafe,
    time::{Duration, SystemTime},
};

use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    CallId, CodeError, Event, Process, Timer,
    model::{BoxFuture, ModelError, ModelErrorKind, ModelReply},
    panicked::in_words,
};

/// What the clock on the wall says: for what outlives this program.
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Reads the clock at the first call, and gives that time at each: for events that are emitted together.
pub(super) fn read_once() -> impl FnMut() -> SystemTime {
    let mut time = None;
    move || *time.get_or_insert_with(now)
}

/// A reply of a model, as an event. Nothing happens before the future is polled; dropping it drops
/// the call.
pub(super) fn model(
    id: CallId,
    limit: Option<Duration>,
    reply: impl Future<Output = Result<ModelReply, ModelError>> + Send + 'static,
) -> BoxFuture<'static, Event> {
    // What a model breaks in a panic is its own.
    let reply = AssertUnwindSafe(reply).catch_unwind();
    Box::pin(timed(id, limit, reply, move |answer, elapsed| match answer {
        Ok(Ok(reply)) => Event::Replied { id, reply, elapsed },
        Ok(Err(error)) => Event::Failed { id, error, elapsed },
        Err(payload) => {
            let error = ModelError::new(ModelErrorKind::Other, in_words(&*payload));
            Event::Failed { id, error, elapsed }
        }
    }))
}

/// What a function of the user's returned, as an event.
pub(super) fn code(
    id: CallId,
    limit: Option<Duration>,
    run: BoxFuture<'static, Result<Value, CodeError>>,
) -> BoxFuture<'static, Event> {
    Box::pin(timed(id, limit, run, move |result, elapsed| Event::Ran { id, result, elapsed }))
}

/// A person's answer, as an event.
pub(super) fn human(
    id: CallId,
    limit: Option<Duration>,
    answer: BoxFuture<'static, Value>,
) -> BoxFuture<'static, Event> {
    let answer = AssertUnwindSafe(answer).catch_unwind();
    Box::pin(timed(id, limit, answer, move |answer, elapsed| match answer {
        Ok(answer) => Event::Answered { id, answer, elapsed },
        Err(payload) => {
            let reason = format!("what answers for people failed: {}", in_words(&*payload));
            Event::Cancelled { reason }
        }
    }))
}

/// The end of a person's time, as an event.
pub(super) fn patience(id: CallId, limit: Duration) -> BoxFuture<'static, Event> {
    human(id, Some(limit), Box::pin(std::future::pending()))
}

/// How long a timer runs, with a random part of its jitter.
pub(super) fn with_jitter<P: Process>(timer: &Timer<P>) -> Duration {
    timer.duration.saturating_add(timer.jitter.mul_f64(fastrand::f64()))
}

/// The end of a timer, as an event.
pub(super) fn timer(id: CallId, duration: Duration) -> BoxFuture<'static, Event> {
    Box::pin(async move {
        sleep(duration).await;
        Event::Woken { id }
    })
}

/// What a future gives, if it does so in time. Without a time limit there is no timer, and it needs no tokio.
pub(crate) async fn within<T>(
    limit: Option<Duration>,
    future: impl Future<Output = T>,
) -> Option<T> {
    match limit {
        Some(limit) => timeout(limit, future).await.ok(),
        None => Some(future.await),
    }
}

/// What a future gives, and how long it took.
pub(super) async fn measured<T>(future: impl Future<Output = T>) -> (T, Duration) {
    let began = Instant::now();
    let value = future.await;
    (value, began.elapsed())
}

/// Measures how long something takes that is no future of its own.
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Turns what a future gives into an event.
async fn timed<T>(
    id: CallId,
    limit: Option<Duration>,
    future: impl Future<Output = T>,
    event: impl FnOnce(T, Duration) -> Event,
) -> Event {
    let (ended, elapsed) = measured(within(limit, future)).await;
    match ended {
        Some(value) => event(value, elapsed),
        None => Event::TimedOut { id, elapsed },
    }
}
