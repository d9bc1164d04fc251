//! Questions and timers beside calls, in stores and workers.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use cot_core::{
    WorkerEvent,
    model::{ModelReply, ModelRequest, ScriptedModel},
    prelude::*,
    store::{MemoryStore, RunSummary, Status, Store},
};

use super::{
    process::{Note, Trip, note},
    running::{Desk, Office, OfficeOutcome, writer},
};

cot_process! {
    pub(super) process Contest {
        state: Trip,
        parallel race [one, other] => after { join: any }
        task one -> Note { full_prompt: "one", update: left[], next: after }
        task other -> Note { full_prompt: "other", update: right[], next: after }
        task after -> Note { full_prompt: "after", update: merged, next: done }
        task done { end }
    }
}

async fn summary(store: &MemoryStore, run: &str) -> RunSummary {
    store.run(&run.parse().unwrap()).await.unwrap().unwrap()
}

async fn put_answer(store: &MemoryStore, run: &str, answer: serde_json::Value) {
    let Status::Asking { key, .. } = summary(store, run).await.status else { panic!() };
    store.put_answer(&run.parse().unwrap(), &key, answer).await.unwrap();
}

/// Drives the due runs until nothing is left to do. Returns what was done.
async fn work<P: Process>(runner: Runner<P>, store: &MemoryStore) -> Vec<&'static str> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let worker = runner.worker(store.clone()).observe(move |event: &WorkerEvent| {
        let word = match event {
            WorkerEvent::Claimed { .. } => "claimed",
            WorkerEvent::Parked { .. } => "parked",
            WorkerEvent::Ended { .. } => "ended",
            _ => "other",
        };
        log.lock().unwrap().push(word);
    });
    worker.run_until_idle().await.unwrap();
    let seen = seen.lock().unwrap();
    seen.clone()
}

#[tokio::test]
async fn a_worker_parks_a_run_whose_branches_all_wait_for_people() {
    let store = MemoryStore::default();
    let runner = || Office::runner().model(writer());
    runner().store(store.clone()).run_id("desk").submit(&Desk::default()).await.unwrap();
    assert_eq!(work(runner(), &store).await, ["claimed", "parked"]);
    let first = summary(&store, "desk").await;
    assert!(matches!(&first.status, Status::Asking { question, .. } if question == "First?"));
    // The branch that writes is done, so that nothing is due before the answer.
    assert_eq!(first.due_at(), None);
    put_answer(&store, "desk", note("one")).await;
    assert_eq!(work(runner(), &store).await, ["claimed", "parked"]);
    let second = summary(&store, "desk").await;
    assert!(matches!(&second.status, Status::Asking { question, .. } if question == "Second?"));
    put_answer(&store, "desk", note("two")).await;
    assert_eq!(work(runner(), &store).await, ["claimed", "ended"]);
}

#[tokio::test]
async fn a_run_that_asks_while_calls_are_in_flight_is_due_if_its_program_dies() {
    let store = MemoryStore::default();
    let model = ScriptedModel::from_fn(|_: &ModelRequest| ModelReply::from(note("n")));
    let slow = SlowModel(model);
    let runner = Office::runner().model(slow).store(store.clone()).run_id("desk");
    let driven = tokio::spawn(async move { runner.run(Desk::default()).await });
    while !matches!(summary_or_none(&store).await, Some(Status::Asking { .. })) {
        tokio::task::yield_now().await;
    }
    let asking = summary(&store, "desk").await;
    assert!(asking.due_at().is_some_and(|due| due <= SystemTime::now()), "{asking:?}");
    driven.abort();
    let _ = driven.await;
    // Another program makes the call again, and the question is still open.
    let runner = Office::runner().model(writer());
    assert_eq!(work(runner, &store).await, ["claimed", "parked"]);
    assert_eq!(summary(&store, "desk").await.due_at(), None);
}

async fn summary_or_none(store: &MemoryStore) -> Option<Status> {
    Some(store.run(&"desk".parse().unwrap()).await.unwrap()?.status)
}

/// A model that never replies.
struct SlowModel(ScriptedModel);

impl LanguageModel for SlowModel {
    fn reply<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> cot_core::model::BoxFuture<'a, Result<ModelReply, cot_core::model::ModelError>> {
        let _ = &self.0;
        Box::pin(std::future::pending())
    }
}

cot_process! {
    process Naps {
        state: Desk,
        parallel rest [ask, hour, day] => done
        task ask -> Note { ask: "Sure?", update: first, next: done }
        task hour -> Note { wait: 1h, full_prompt: "hour", update: notes[], next: done }
        task day -> Note { wait: 24h, full_prompt: "day", update: { second = output }, next: done }
        task done { end }
    }
}

#[tokio::test]
async fn a_parked_run_is_due_when_its_first_timer_ends() {
    let store = MemoryStore::default();
    let runner = || Naps::runner().model(writer());
    runner().store(store.clone()).run_id("naps").submit(&Desk::default()).await.unwrap();
    assert_eq!(work(runner(), &store).await, ["claimed", "parked"]);
    let asking = summary(&store, "naps").await;
    assert!(matches!(asking.status, Status::Asking { until: None, .. }));
    let due = asking.due_at().unwrap().duration_since(SystemTime::now()).unwrap();
    assert!(due > Duration::from_secs(3500) && due <= Duration::from_secs(3600), "{due:?}");
    put_answer(&store, "naps", note("yes")).await;
    assert_eq!(work(runner(), &store).await, ["claimed", "parked"]);
    let sleeping = summary(&store, "naps").await;
    assert!(matches!(sleeping.status, Status::Sleeping { .. }), "{sleeping:?}");
    // The timers continue, and do not start again.
    let again = sleeping.due_at().unwrap().duration_since(SystemTime::now()).unwrap();
    assert!(again <= due, "{again:?} {due:?}");
}

#[tokio::test(start_paused = true)]
async fn timers_of_branches_run_at_once() {
    let began = tokio::time::Instant::now();
    let runner = Naps::runner().model(writer());
    let runner = runner.person(|_| async { Note { text: "yes".to_owned() } });
    let run = runner.run(Desk::default()).await.unwrap();
    assert_eq!(run.outcome, NapsOutcome::Done);
    assert_eq!(began.elapsed(), Duration::from_secs(24 * 3600));
}

#[tokio::test]
async fn an_answer_in_the_store_is_taken_while_another_branch_makes_calls() {
    let store = MemoryStore::default();
    let runner = Office::runner().model(writer()).store(store.clone()).run_id("desk");
    let driven = tokio::spawn(async move { runner.run(Desk::default()).await });
    for answer in ["one", "two"] {
        loop {
            if let Some(Status::Asking { key, question, .. }) = summary_or_none(&store).await
                && question.starts_with(if answer == "one" { "First" } else { "Second" })
            {
                let id = "desk".parse().unwrap();
                store.put_answer(&id, &key, note(answer)).await.unwrap();
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    let run = driven.await.unwrap().unwrap();
    assert_eq!(run.outcome, OfficeOutcome::Done);
    assert_eq!((&*run.state.first.text, &*run.state.second.text), ("one", "two"));
}

cot_process! {
    process Crossed {
        state: Trip,
        parallel both [write, ask] => done
        task write -> Note { full_prompt: "write", update: web[], next: ask_later }
        task ask_later -> Note { ask: "Later?", update: left[], next: done }
        task ask -> Note { ask: "Now?", update: right[], next: done }
        task done { end }
    }
}

#[tokio::test]
async fn a_worker_that_resumes_a_run_has_the_question_that_people_see() {
    let store = MemoryStore::default();
    let runner = || Crossed::runner().model(writer());
    runner().store(store.clone()).run_id("desk").submit(&Trip::default()).await.unwrap();
    assert_eq!(work(runner(), &store).await, ["claimed", "parked"]);
    // The branch that is listed first asks the newer question.
    for question in ["Now?", "Later?"] {
        let asking = summary(&store, "desk").await.status;
        assert!(
            matches!(&asking, Status::Asking { question: asked, .. } if asked == question),
            "{asking:?}"
        );
        // A driver in between sees the same.
        assert_eq!(work(runner(), &store).await, [""; 0]);
        put_answer(&store, "desk", note(question)).await;
        work(runner(), &store).await;
    }
    assert!(summary(&store, "desk").await.status.is_ended());
}

cot_process! {
    process Dropped {
        state: Desk,
        parallel both [ask, each] => done
        task ask -> Note { ask: "Sure?", update: first, next: done }

        task each -> Note {
            for_each: number in 0..2,
            prompt: "${number}",
            max_retries: 0,
            update: notes,
            on: { exhausted => wait },
            next: done,
        }

        task wait -> Note { full_prompt: "wait", update: { second = output }, next: done }
        task done { end }
    }
}

/// A model that replies wrongly about item 0 and late about item 1, and never to other prompts.
#[derive(Clone, Default)]
struct LateModel(Arc<tokio::sync::Notify>);

impl LanguageModel for LateModel {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> cot_core::model::BoxFuture<'a, Result<ModelReply, cot_core::model::ModelError>> {
        Box::pin(async move {
            if request.prompt().starts_with('0') {
                return Ok(ModelReply::new("nonsense"));
            }
            if !request.prompt().starts_with('1') {
                return std::future::pending().await;
            }
            self.0.notified().await;
            Ok(ModelReply::from(note("late")))
        })
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_beside_a_question_leaves_nothing_in_the_journal() {
    let (store, model) = (MemoryStore::default(), LateModel::default());
    let runner = Dropped::runner().model(model.clone()).store(store.clone()).run_id("desk");
    let driven = tokio::spawn(async move { runner.run(Desk::default()).await });
    while summary_or_none(&store)
        .await
        .is_none_or(|status| !matches!(status, Status::Asking { .. }))
    {
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    model.0.notify_waiters();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    driven.abort();
    let _ = driven.await;
    // The run resumes, and makes the call of the route again.
    let runner = Dropped::runner().model(writer());
    assert_eq!(work(runner, &store).await, ["claimed", "parked"]);
    put_answer(&store, "desk", note("yes")).await;
    let runner = Dropped::runner().model(writer());
    assert_eq!(work(runner, &store).await, ["claimed", "ended"]);
}
