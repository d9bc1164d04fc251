//! Workers of two versions of a program share a store.

use std::time::Duration;

use cot_core::{
    prelude::*,
    store::{MemoryStore, Store},
};

use super::{Desk, always, answer, id, seen::Seen, submit, summary};
use crate::drive::Note;

/// A process that another version words differently.
macro_rules! version {
    ($module:ident, $last:literal) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(crate) process Reading {
                    state: Desk,
                    task draft -> Note { prompt: "Draft.", update: { notes[] = output }, next: ask }
                    task ask -> Note { ask: $last, update: { notes[] = output }, next: done }
                    task done { end }
                }
            }
        }
    };
}

version!(old, "Is it good?");
version!(new, "Is it very good?");

#[tokio::test]
async fn each_run_is_driven_by_its_own_version() {
    let store = MemoryStore::default();
    let old = || old::Reading::runner().model(always());
    let new = || new::Reading::runner().model(always());
    let (seen_old, seen_new) = (Seen::default(), Seen::default());
    submit(old(), &store, &["a", "b"]).await;
    old().worker(store.clone()).run_until_idle().await.unwrap();
    submit(new(), &store, &["c", "d"]).await;
    new().worker(store.clone()).run_until_idle().await.unwrap();
    for run in ["a", "b", "c", "d"] {
        answer(&store, run).await;
    }
    let poll = Duration::from_millis(1);
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let wait = |mut stopped: tokio::sync::watch::Receiver<bool>| async move {
        drop(stopped.wait_for(|stop| *stop).await);
    };
    let old = old().worker(store.clone()).poll_interval(poll).observe(seen_old.listen());
    let new = new().worker(store.clone()).poll_interval(poll).observe(seen_new.listen());
    let old = tokio::spawn(old.run_until(wait(stopped.clone())));
    let new = tokio::spawn(new.run_until(wait(stopped)));
    for run in ["a", "b", "c", "d"] {
        while !store.run(&id(run)).await.unwrap().unwrap().status.is_ended() {
            tokio::time::sleep(poll).await;
        }
        assert_eq!(summary(&store, run).await.set_aside, None);
    }
    stop.send(true).unwrap();
    old.await.unwrap().unwrap();
    new.await.unwrap().unwrap();
    assert_eq!((seen_old.runs("ended"), seen_new.runs("ended")), (names("ab"), names("cd")));
    // Each version tries a run of the other one at most once.
    for (seen, others) in [(seen_old, "cd"), (seen_new, "ab")] {
        let mut tried = seen.runs("incompatible");
        let count = tried.len();
        tried.dedup();
        assert_eq!(tried.len(), count);
        assert!(tried.iter().all(|run| others.contains(run.as_str())), "{tried:?}");
        assert!(
            seen.texts("incompatible").iter().all(|text| text.contains("needs another version"))
        );
    }
}

fn names(letters: &str) -> Vec<String> {
    letters.chars().map(String::from).collect()
}
