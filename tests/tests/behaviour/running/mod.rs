//! What runs do with tasks of every kind. Where time matters it is tokio's own, and paused.

mod code;
mod crowd;
mod deltas;
mod each;
mod each_failing;
mod engines;
mod failed;
mod inner;
mod lone_tasks;
mod missing;
mod mocking;
mod partials;
mod people;
mod people_steered;
mod preflight;
mod rate_limits;
mod reserved;
mod until;
mod updates;
mod waiting;
mod watching;

use std::{
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use cot_core::{
    ActiveRun, EventContext, Process, ProcessEvent, RunEvent,
    model::{AcceptedMedia, BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest},
};
use serde_json::{Value, json};

/// Takes events until the run waits for something.
pub(crate) fn until_waiting<P: Process<Context = ()>>(
    active: &mut ActiveRun<P>,
) -> Vec<ProcessEvent<P>> {
    let mut events = Vec::new();
    let mut context = Context::from_waker(Waker::noop());
    // A run lets others have the thread now and then, so that one pending poll may mean nothing.
    for _ in 0..3 {
        while let Poll::Ready(Some(event)) = pin!(active.next()).poll(&mut context) {
            events.push(event);
        }
    }
    events
}

/// What is under way, and what was at most at once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Count(Arc<Counted>);

#[derive(Debug, Default)]
struct Counted {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

impl Count {
    /// Counts until the guard is dropped.
    pub(crate) fn enter(&self) -> Guard {
        let now = self.0.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        self.0.all.fetch_add(1, Ordering::SeqCst);
        Guard(self.clone())
    }

    pub(crate) fn now(&self) -> usize {
        self.0.now.load(Ordering::SeqCst)
    }

    pub(crate) fn most(&self) -> usize {
        self.0.most.load(Ordering::SeqCst)
    }

    pub(crate) fn all(&self) -> usize {
        self.0.all.load(Ordering::SeqCst)
    }
}

pub(crate) struct Guard(Count);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A model that answers with an async function, and counts its calls.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) calls: Count,
    answer: Arc<dyn Fn(String) -> BoxFuture<'static, Answer> + Send + Sync>,
}

type Answer = Result<ModelReply, ModelError>;

impl Asked {
    pub(crate) fn new<F>(answer: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let answer =
            Arc::new(move |prompt| -> BoxFuture<'static, Answer> { Box::pin(answer(prompt)) });
        Self { calls: Count::default(), answer }
    }

    /// One that never answers.
    pub(crate) fn never() -> Self {
        Self::new(|_| std::future::pending())
    }

    /// One that gives this answer so many times, and then never answers.
    pub(crate) fn times(count: usize, answer: Value) -> Self {
        let given = AtomicUsize::new(0);
        Self::new(move |_| {
            let is_silent = given.fetch_add(1, Ordering::SeqCst) >= count;
            let answer = answer.clone();
            async move {
                if is_silent {
                    std::future::pending::<()>().await;
                }
                Ok(answer.into())
            }
        })
    }

    /// One that gives these answers, and then never answers.
    pub(crate) fn in_order(answers: impl IntoIterator<Item = Value>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect::<Vec<_>>().into_iter());
        Self::new(move |_| {
            let answer = answers.lock().unwrap().next();
            async move {
                match answer {
                    Some(answer) => Ok(answer.into()),
                    None => std::future::pending().await,
                }
            }
        })
    }

    /// One that gives this answer always.
    pub(crate) fn always(answer: Value) -> Self {
        Self::new(move |_| std::future::ready(Ok(answer.clone().into())))
    }
}

impl LanguageModel for Asked {
    fn reply<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Answer> {
        let guard = self.calls.enter();
        let answer = (self.answer)(request.prompt().to_owned());
        Box::pin(async move {
            let _guard = guard;
            answer.await
        })
    }

    fn accepted_media(&self) -> AcceptedMedia {
        AcceptedMedia::ALL
    }
}

/// Events in words, as an observer hears them.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    pub(crate) fn add(&self, word: impl Into<String>) {
        self.0.lock().unwrap().push(word.into());
    }

    pub(crate) fn words(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn listen<T: std::fmt::Debug, O: std::fmt::Debug>(
        &self,
    ) -> impl Fn(&RunEvent<T, O>, &EventContext) + Send + Sync + 'static {
        let heard = self.clone();
        move |event, _| heard.add(kind(event))
    }
}

/// The first word of an event.
pub(crate) fn kind<T: std::fmt::Debug, O: std::fmt::Debug>(event: &RunEvent<T, O>) -> String {
    match event {
        RunEvent::Nested { process, .. } => format!("Nested {process}"),
        other => first_word(&format!("{other:?}")),
    }
}

fn first_word(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

pub(crate) fn note(text: &str) -> Value {
    json!({ "text": text, "rank": 1 })
}

/// How something is shown for debugging.
pub(crate) fn shown(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}
