//! Runs that are made of others.

use cot_core::{
    RunError, Runner,
    prelude::*,
    store::{MemoryStore, Store, StoreError},
};
use serde::{Deserialize, Serialize};

use crate::{
    drive::{Note, note},
    running::{Asked, until_waiting},
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Book {
    notes: Vec<Note>,
}

cot_process! {
    #[allow(deprecated, reason = "a person who is late halts the run")]
    pub(crate) process Writing {
        state: Book,
        goal: "Write",
        task one -> Note { prompt: "${goal}", update: { notes[] = output }, next: two }
        task two -> Note { prompt: "${goal} on", update: { notes[] = output }, next: ask }
        task ask -> Note { ask: "Good?", timeout: 1h, update: { notes[] = output }, next: done }
        task done { end }
    }
}

fn runner(store: &MemoryStore, text: &str) -> Runner<Writing> {
    let person = |text: &str| {
        let answer = note(text, 3);
        move |_| std::future::ready(answer.clone())
    };
    let model = Asked::always(note(text, 1));
    Writing::runner().model(model).person(person(text)).store(store.clone())
}

fn texts(book: &Book) -> Vec<&str> {
    book.notes.iter().map(|note| note.text.as_str()).collect()
}

#[tokio::test]
async fn a_fork_goes_on_from_a_step_in_another_way() {
    let store = MemoryStore::default();
    let old = runner(&store, "old").run_id("a").run(Book::default()).await.unwrap();
    let fork = runner(&store, "new").run_id("b").fork("a", 1).unwrap();
    let fork = fork.goal("Invent").change_state(|book| book.notes[0].text.push('!'));
    let run = fork.create().await.unwrap().await.unwrap();
    assert_eq!(texts(&run.state), ["old!", "new", "new"]);
    assert_eq!(run.run_id.as_str(), "b");
    let origin = store.run(&run.run_id).await.unwrap().unwrap().origin.unwrap();
    assert_eq!((origin.run.as_str(), origin.steps), ("a", 1));
    let again = runner(&store, "other").resume("a").unwrap().await.unwrap();
    assert_eq!(again.state, old.state);
}

#[tokio::test]
async fn the_beginning_is_a_step() {
    let store = MemoryStore::default();
    runner(&store, "old").run_id("a").run(Book::default()).await.unwrap();
    let fork = runner(&store, "new").fork("a", 0).unwrap().create().await.unwrap();
    assert_ne!(fork.run_id().as_str(), "a");
    assert_eq!(texts(&fork.await.unwrap().state), ["new", "new", "new"]);
}

#[tokio::test]
async fn a_fork_of_a_run_that_asks_asks_anew() {
    let store = MemoryStore::default();
    let asking = Writing::runner().model(Asked::always(note("old", 1))).store(store.clone());
    let mut run = asking.clone().run_id("a").start(Book::default()).unwrap();
    until_waiting(&mut run);
    let mut fork = asking.run_id("b").fork("a", 2).unwrap().create().await.unwrap();
    until_waiting(&mut fork);
    assert_eq!(fork.question().unwrap().as_question().unwrap().text, "Good?");
    let summary = store.run(&"b".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(summary.status.word(), "asking");
}

#[tokio::test]
async fn forks_that_can_not_be_are_refused() {
    let store = MemoryStore::default();
    runner(&store, "old").run_id("a").run(Book::default()).await.unwrap();
    let error = |run: &str, steps, name: &str| {
        let fork = runner(&store, "new").run_id(name).fork(run, steps).unwrap().create();
        async { fork.await.map(drop).unwrap_err() }
    };
    let unknown = error("x", 1, "b").await;
    assert!(matches!(unknown, RunError::Store(StoreError::UnknownRun { .. })), "{unknown}");
    let too_far = error("a", 9, "b").await;
    assert!(matches!(too_far, RunError::Store(StoreError::UnknownStep { .. })), "{too_far}");
    let exists = error("a", 1, "a").await;
    assert!(matches!(exists, RunError::Store(StoreError::RunExists { .. })), "{exists}");
    assert!(matches!(Writing::runner().model(Asked::never()).fork("a", 1), Err(RunError::NoStore)));
}

#[tokio::test]
async fn a_name_without_a_store_is_the_mistake_though_nobody_answers_either() {
    let runner = Writing::runner().model(Asked::never());
    let named = runner.clone().run_id("a").run(Book::default()).await.unwrap_err();
    assert!(matches!(named, RunError::NoStore), "{named}");
    let nameless = runner.run(Book::default()).await.unwrap_err();
    assert!(matches!(nameless, RunError::NobodyAnswers { .. }), "{nameless}");
    assert!(nameless.to_string().contains("`Runner::store`"), "{nameless}");
}
