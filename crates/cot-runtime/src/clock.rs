//! Directives against the clock: the only place in the library that looks at one.
#![expect(clippy::disallowed_methods, reason = "the one module that may use clocks")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, SystemTime},
};

use cot_engine::{CallId, CodeError, Event, internal::in_words};
use cot_model::{BoxFuture, ModelError, ModelErrorKind, ModelReply};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// What the clock on the wall says: for what outlives this program.
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Reads the clock at the first call, and gives that time at each: for events that are emitted together.
pub(crate) fn read_once() -> impl FnMut() -> SystemTime {
    let mut time = None;
    move || *time.get_or_insert_with(now)
}

/// The reply of a model, as an event. Nothing happens before it is polled; dropping it drops the call.
///
/// Written by hand, since there are as many of these as there are runs: as an async function, it would hold
/// room for a timer that few calls have, and each function in it room for the one before.
pub(crate) struct Reply {
    id: CallId,
    limit: Option<Duration>,
    /// When it was polled first.
    began: Option<Instant>,
    /// The end of the time for it.
    end: Option<Pin<Box<Sleep>>>,
    answer: BoxFuture<'static, Result<ModelReply, ModelError>>,
}

impl Reply {
    pub(crate) fn new(
        id: CallId,
        limit: Option<Duration>,
        answer: impl Future<Output = Result<ModelReply, ModelError>> + Send + 'static,
    ) -> Self {
        Self { id, limit, began: None, end: None, answer: Box::pin(answer) }
    }

    /// Whether the time for it is over.
    fn poll_end(&mut self, began: Instant, cx: &mut Context<'_>) -> Poll<Event> {
        let Some(end) = &mut self.end else { return Poll::Pending };
        ready!(end.as_mut().poll(cx));
        Poll::Ready(Event::TimedOut { id: self.id, elapsed: began.elapsed() })
    }
}

impl Future for Reply {
    type Output = Event;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Event> {
        let reply = &mut *self;
        let began = *reply.began.get_or_insert_with(Instant::now);
        if let (Some(limit), None) = (reply.limit, &reply.end) {
            reply.end = Some(Box::pin(sleep(limit)));
        }
        // What a model breaks in a panic is its own.
        let polled = catch_unwind(AssertUnwindSafe(|| reply.answer.as_mut().poll(cx)));
        let answer = match polled {
            Ok(Poll::Ready(answer)) => answer,
            Ok(Poll::Pending) => return reply.poll_end(began, cx),
            Err(payload) => Err(ModelError::new(ModelErrorKind::Other, in_words(&*payload))),
        };
        let (id, elapsed) = (reply.id, began.elapsed());
        Poll::Ready(match answer {
            Ok(reply) => Event::Replied { id, reply, elapsed },
            Err(error) => Event::Failed { id, error, elapsed },
        })
    }
}

/// What a function of the user's returned, as an event.
pub(crate) fn code(
    id: CallId,
    limit: Option<Duration>,
    run: BoxFuture<'static, Result<Value, CodeError>>,
) -> BoxFuture<'static, Event> {
    Box::pin(timed(id, limit, run, move |result, elapsed| Event::Ran { id, result, elapsed }))
}

/// A person's answer, as an event.
pub(crate) fn human(
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
pub(crate) fn patience(id: CallId, limit: Duration) -> BoxFuture<'static, Event> {
    human(id, Some(limit), Box::pin(std::future::pending()))
}

/// How long a timer runs, with a random part of its jitter.
pub(crate) fn with_jitter(duration: Duration, jitter: Duration) -> Duration {
    duration.saturating_add(jitter.mul_f64(fastrand::f64()))
}

/// The end of a timer, as an event.
pub(crate) fn timer(id: CallId, duration: Duration) -> BoxFuture<'static, Event> {
    Box::pin(async move {
        sleep(duration).await;
        Event::Woken { id }
    })
}

/// What a future gives, if it does so in time. Without a time limit there is no timer, and it needs no tokio.
pub async fn within<T>(limit: Option<Duration>, future: impl Future<Output = T>) -> Option<T> {
    match limit {
        Some(limit) => timeout(limit, future).await.ok(),
        None => Some(future.await),
    }
}

/// What a future gives, and how long it took.
pub(crate) async fn measured<T>(future: impl Future<Output = T>) -> (T, Duration) {
    let began = Instant::now();
    let value = future.await;
    (value, began.elapsed())
}

/// Measures how long something takes that is no future of its own.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
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
