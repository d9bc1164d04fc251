//! Runs that wait are in no worker's memory.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_core::{
    Runner,
    prelude::*,
    store::{MemoryStore, Status, Store},
};

use super::{Desk, always, answer, answered, approval, id, seen::Seen, submit, summary};
use crate::{
    drive::{Note, note},
    running::Asked,
};

cot_process! {
    /// Waits before its only task.
    pub(crate) process Nap {
        state: Desk,
        task sleep -> Note { wait: 1h, prompt: "Awake?", update: { notes[] = output }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Asks, and does not wait for long.
    pub(crate) process Hurry {
        state: Desk,

        task ask -> Note {
            ask: "Now?",
            timeout: 20ms,
            update: { notes[] = output },
            on: { timeout => late },
            next: done,
        }

        task late { next: done }
        task done { end }
    }
}

/// A state that counts its instances.
async fn parked(store: &MemoryStore, run: &str) -> bool {
    let summary = summary(store, run).await;
    !summary.is_driven && matches!(summary.status, Status::Asking { .. } | Status::Sleeping { .. })
}

#[tokio::test]
async fn a_run_that_asks_leaves_the_worker_and_comes_back_with_its_answer() {
    let store = MemoryStore::default();
    let model = always();
    submit(approval(&model), &store, &["one", "two"]).await;
    let work = async || {
        let seen = Seen::default();
        let worker = approval(&model).worker(store.clone()).observe(seen.listen());
        worker.run_until_idle().await.unwrap();
        seen
    };
    assert_eq!(work().await.runs("parked"), ["one", "two"]);
    assert!(parked(&store, "one").await && parked(&store, "two").await);

    answer(&store, "two").await;
    let seen = work().await;
    assert_eq!(
        (seen.runs("claimed"), seen.runs("ended")),
        (vec!["two".into()], vec!["two".into()])
    );
    assert!(parked(&store, "one").await);
    assert_eq!(model.calls.all(), 3);
}

/// The worker works on while people answer: no answer is lost, however it meets the parking of its run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_lost_while_runs_are_parked() {
    let store = MemoryStore::default();
    let model = always();
    let runner = approval(&model).store(store.clone());
    let mut runs = Vec::new();
    for _ in 0..200 {
        runs.push(runner.submit(&Desk::default()).await.unwrap());
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = approval(&model).worker(store.clone()).max_runs(16);
    let worker = worker.poll_interval(Duration::from_millis(1));
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    for run in &runs {
        // At the very moment at which the question is stored.
        let key = loop {
            match store.run(run).await.unwrap().unwrap().status {
                Status::Asking { key, .. } => break key,
                _ => tokio::task::yield_now().await,
            }
        };
        store.put_answer(run, &key, answered()).await.unwrap();
    }
    for run in &runs {
        while !store.run(run).await.unwrap().unwrap().status.is_ended() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    drop(stop);
    worker.await.unwrap().unwrap();
    assert_eq!(model.calls.all(), 2 * runs.len(), "no reply was paid for twice");
}

#[tokio::test]
async fn a_run_with_a_responder_stays() {
    let store = MemoryStore::default();
    let runner = approval(&always()).person(|_| async { Note { text: "y".into(), rank: 1 } });
    submit(runner.clone(), &store, &["one"]).await;
    let seen = Seen::default();
    runner.worker(store.clone()).observe(seen.listen()).run_until_idle().await.unwrap();
    assert_eq!((seen.runs("parked").len(), seen.runs("ended").len()), (0, 1));
}

#[tokio::test]
async fn a_sleeping_run_leaves_the_worker_until_its_time_comes() {
    let store = MemoryStore::default();
    let runner: Runner<Nap> = Nap::runner().model(always());
    submit(runner.clone(), &store, &["nap"]).await;
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    assert!(parked(&store, "nap").await);
    let Status::Sleeping { until, .. } = summary(&store, "nap").await.status else { panic!() };
    assert!(until > SystemTime::now());
    let mut filter = cot_core::store::DueFilter::new(vec!["Nap".to_owned()], SystemTime::now(), 1);
    assert!(store.due(&filter).await.unwrap().is_empty());
    filter.now = until;
    assert_eq!(store.due(&filter).await.unwrap()[0].run, id("nap"));
}

#[tokio::test]
async fn a_short_wait_stays_in_memory() {
    let store = MemoryStore::default();
    submit(Hurry::runner(), &store, &["hurry"]).await;
    let seen = Seen::default();
    let worker = Hurry::runner().worker(store.clone()).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!((seen.runs("parked").len(), seen.runs("ended").len()), (0, 1));
    assert_eq!(summary(&store, "hurry").await.status.task(), "done");
}

#[tokio::test]
async fn parked_runs_free_their_memory() {
    let store = MemoryStore::default();
    let alive = Arc::new(());
    let model = {
        let alive = Arc::clone(&alive);
        Asked::new(move |_| {
            let held = Arc::clone(&alive);
            async move {
                drop(held);
                Ok(note("a", 1).into())
            }
        })
    };
    let names: Vec<String> = (0..100).map(|number| format!("run-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    submit(approval(&model), &store, &names).await;
    let seen = Seen::default();
    let worker = approval(&model).worker(store.clone()).max_runs(4).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!(seen.runs("parked").len(), 100);
    assert!(model.calls.most() <= 4);
}
