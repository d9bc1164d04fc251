//! Streams and observers.

use std::{
    panic,
    pin::pin,
    sync::{Arc, Mutex},
};

use cot_core::{EventContext, Process, ProcessEvent, RunEvent, Runner};
use futures_core::Stream;

use crate::runner::{
    models::Told,
    process::{Page, Straight, said},
};

type Event = ProcessEvent<Straight>;

/// The first task needs two attempts.
const EVENTS: [&str; 16] = [
    "first starts, step 1",
    "first prompts, attempt 1",
    "first fails, retries true",
    "first prompts, attempt 2",
    "first commits",
    "first goes to second",
    "second starts, step 2",
    "second prompts, attempt 1",
    "second commits",
    "second goes to third",
    "third starts, step 3",
    "third prompts, attempt 1",
    "third commits",
    "third goes to done",
    "done is left",
    "ends with Done",
];

fn model() -> Told {
    Told::texts(["not JSON", "{\"text\": \"hello\"}"])
}

fn in_words(event: &Event) -> String {
    match event {
        RunEvent::TaskStarted { task, step, .. } => format!("{task} starts, step {step}"),
        RunEvent::Prompt { task, attempt, .. } => format!("{task} prompts, attempt {attempt}"),
        RunEvent::AttemptFailed { task, will_retry, .. } => {
            format!("{task} fails, retries {will_retry}")
        }
        RunEvent::Committed { task, .. } => format!("{task} commits"),
        RunEvent::TaskFinished { task, next: Some(next), .. } => format!("{task} goes to {next}"),
        RunEvent::TaskFinished { task, .. } => format!("{task} is left"),
        RunEvent::Finished { ending, .. } => {
            format!("ends with {}", said(&<Straight as Process>::outcome(ending.clone())))
        }
        other => format!("{other:?}"),
    }
}

type Heard = Arc<Mutex<Vec<String>>>;

fn listen(heard: &Heard) -> impl Fn(&Event, &EventContext) + Send + Sync + 'static {
    let heard = Arc::clone(heard);
    move |event, _| heard.lock().unwrap().push(in_words(event))
}

#[tokio::test]
async fn a_stream_gives_every_event_in_order_then_the_result() {
    let mut active = Runner::<Straight>::new().model(model()).start(Page::default()).unwrap();
    let mut events = Vec::new();
    while let Some(event) = active.next().await {
        events.push(in_words(&event));
    }
    assert_eq!(events, EVENTS);
    assert!(active.next().await.is_none());
    assert_eq!(said(&active.await.unwrap().outcome), "Done");
}

#[tokio::test]
async fn it_is_a_stream_as_others_know_them() {
    let active = Runner::<Straight>::new().model(model()).start(Page::default()).unwrap();
    let mut active = pin!(active);
    let mut count = 0;
    while std::future::poll_fn(|cx| active.as_mut().poll_next(cx)).await.is_some() {
        count += 1;
    }
    assert_eq!(count, EVENTS.len());
}

#[tokio::test]
async fn a_prompt_is_told_before_the_model_is_asked() {
    let model = Told::well();
    let mut active = Runner::<Straight>::new().model(model.clone()).start(Page::default()).unwrap();
    assert_eq!(in_words(&active.next().await.unwrap()), EVENTS[0]);
    assert_eq!(in_words(&active.next().await.unwrap()), EVENTS[1]);
    assert_eq!(model.calls(), 0);
}

#[tokio::test]
async fn observers_see_what_streams_give() {
    let heard = Heard::default();
    let runner = Runner::<Straight>::new().model(model()).observe(listen(&heard));
    runner.run(Page::default()).await.unwrap();
    assert_eq!(heard.lock().unwrap().drain(..).collect::<Vec<_>>(), EVENTS);

    let runner = Runner::<Straight>::new().model(model()).observe(listen(&heard));
    let mut active = runner.start(Page::default()).unwrap();
    assert_eq!(in_words(&active.next().await.unwrap()), EVENTS[0]);
    active.await.unwrap();
    assert_eq!(*heard.lock().unwrap(), EVENTS);
}

#[tokio::test]
async fn an_observer_that_panics_disturbs_nobody() {
    let heard = Heard::default();
    let runner = Runner::<Straight>::new()
        .model(model())
        .observe(|_, _| panic::resume_unwind(Box::new("an observer's own trouble")))
        .observe(listen(&heard));
    let run = runner.run(Page::default()).await.unwrap();
    assert_eq!(said(&run.outcome), "Done");
    assert_eq!(*heard.lock().unwrap(), EVENTS);
}

#[tokio::test]
async fn an_observer_may_steer_the_run() {
    let slot = Arc::new(Mutex::new(None::<cot_core::RunHandle>));
    let seen = Arc::clone(&slot);
    let runner = Runner::<Straight>::new().model(model()).observe(move |event, _| {
        if let (RunEvent::Committed { .. }, Some(handle)) = (event, &*seen.lock().unwrap()) {
            handle.cancel("one will do");
        }
    });
    let active = runner.start(Page::default()).unwrap();
    *slot.lock().unwrap() = Some(active.handle());
    let run = active.finish().report().await.unwrap();
    assert!(said(&run.outcome).contains("one will do"), "{:?}", run.outcome);
    assert_eq!(run.state.lines.len(), 1);
}
