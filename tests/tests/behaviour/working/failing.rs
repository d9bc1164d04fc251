//! Runs that can't be driven, and stores that fail.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    ResumeOptions,
    store::{MemoryStore, Store},
};

use super::{Desk, always, answer, approval, draft, id, seen::Seen, submit, summary};
use crate::storing::ledger::{Fate, Ledger};

#[tokio::test(start_paused = true)]
async fn a_run_that_panics_whenever_it_is_resumed_is_set_aside() {
    let store = MemoryStore::default();
    submit(approval(&always()), &store, &["one", "two"]).await;
    approval(&always()).worker(store.clone()).run_until_idle().await.unwrap();
    answer(&store, "one").await;

    let resumed = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&resumed);
    let options = ResumeOptions::new().on_resume(move |_: &mut Desk| {
        counted.fetch_add(1, Ordering::SeqCst);
        panic!("no secret is there")
    });
    let runner = approval(&always()).resume_options(options);
    let seen = Seen::default();
    let worker = runner.worker(store.clone()).max_crashes(4).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!(resumed.load(Ordering::SeqCst), 4);
    assert_eq!(seen.runs("failed"), ["one", "one", "one"]);
    assert_eq!(seen.runs("set aside"), ["one"]);
    let why = summary(&store, "one").await.set_aside.unwrap().why;
    assert!(why.contains("no secret is there"), "{why}");

    assert!(store.retry(&id("one")).await.unwrap());
    let seen = Seen::default();
    let worker = approval(&always()).worker(store.clone()).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    assert_eq!(seen.runs("ended"), ["one"]);
    assert_eq!(summary(&store, "two").await.set_aside, None);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_tried_again() {
    let store = Ledger::default();
    let runner = draft(&always()).store(store.clone());
    for name in ["one", "two", "three"] {
        runner.clone().run_id(name).submit(&Desk::default()).await.unwrap();
    }
    store.at(1, Fate::Full);
    let seen = Seen::default();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let worker = draft(&always()).worker(store.clone()).max_runs(1).observe(seen.listen());
    let worker = tokio::spawn(worker.run_until(async { drop(stopped.await) }));
    while seen.runs("ended").len() < 3 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(stop);
    worker.await.unwrap().unwrap();
    assert_eq!(seen.runs("store failed").len(), 1);
    let text = seen.texts("store failed").remove(0);
    assert!(text.contains("the store is full") && text.contains("no room"), "{text}");
    assert_eq!(seen.runs("ended"), ["one", "three", "two"]);
}

/// Returns a store with nine runs that nobody has begun.
async fn nine_runs() -> Ledger {
    let store = Ledger::default();
    for name in ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"] {
        let runner = draft(&always()).store(store.clone()).run_id(name);
        runner.submit(&Desk::default()).await.unwrap();
    }
    store
}

#[tokio::test]
async fn the_run_with_which_most_programs_died_is_driven_first() {
    let store = nine_runs().await;
    store.crash("seven", 2);
    store.crash("four", 1);
    let seen = Seen::default();
    let worker = draft(&always()).worker(store.clone()).observe(seen.listen());
    worker.run_until_idle().await.unwrap();
    let claimed = seen.texts("claimed");
    assert_eq!(claimed.len(), 9);
    assert!(claimed[0].contains("seven") && claimed[1].contains("four"), "{claimed:?}");
}

#[tokio::test(start_paused = true)]
async fn many_runs_that_fail_together_lengthen_no_pause() {
    let store = nine_runs().await;
    store.always(Fate::Full);
    let seen = Seen::default();
    let worker = draft(&always()).worker(store.clone()).observe(seen.listen());
    let all_ended = async {
        while seen.runs("store failed").len() < 9 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        store.mend();
        let mended = tokio::time::Instant::now();
        while seen.runs("ended").len() < 9 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(mended.elapsed() < Duration::from_secs(3));
    };
    worker.run_until(all_ended).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn runs_that_other_programs_have_are_not_claimed_again_at_once() {
    let store = nine_runs().await;
    store.always(Fate::Taken);
    for ends_when_idle in [false, true] {
        let seen = Seen::default();
        let worker = draft(&always()).worker(store.clone()).max_runs(4).observe(seen.listen());
        // Four looks at the store.
        let time = Duration::from_millis(900);
        if ends_when_idle {
            assert!(tokio::time::timeout(time, worker.run_until_idle()).await.is_err());
        } else {
            worker.run_until(tokio::time::sleep(time)).await.unwrap();
        }
        let claimed = seen.runs("claimed").len();
        assert!((4..=4 * 4).contains(&claimed), "{claimed}");
    }
}

#[tokio::test]
async fn a_store_that_fails_ends_a_worker_that_waits_for_nothing() {
    let store = Ledger::default();
    draft(&always()).store(store.clone()).submit(&Desk::default()).await.unwrap();
    store.at(1, Fate::Full);
    let error = draft(&always()).worker(store.clone()).run_until_idle().await.unwrap_err();
    assert!(error.to_string().contains("full"), "{error}");
}

#[tokio::test]
async fn a_panic_of_an_observer_affects_nothing() {
    let store = MemoryStore::default();
    submit(draft(&always()), &store, &["one"]).await;
    let seen = Seen::default();
    let worker = draft(&always()).worker(store.clone()).observe(|event| panic!("{event}"));
    worker.observe(seen.listen()).run_until_idle().await.unwrap();
    assert_eq!(seen.runs("ended"), ["one"]);
}
