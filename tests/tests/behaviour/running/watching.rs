//! Observers, hooks, and steps.

use std::{
    panic::resume_unwind,
    sync::{Arc, Mutex},
    time::SystemTime,
};

use cot_core::{
    EventContext, HaltReason, PanicPlace, RunEvent,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest},
    prelude::*,
    store::{MemoryStore, RunId, Store},
};
use serde::{Deserialize, Serialize};

use super::{Asked, Heard, kind, note, shown};
use crate::drive::Note;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Book {
    pub(crate) texts: Vec<String>,
}

cot_process! {
    pub(crate) process Copy {
        state: Book,

        task one -> Note { update: { texts[] = output.text }, next: gate }
        task gate { next: two }
        task two -> Note { update: { texts[] = output.text }, next: done }
        task done { end }
    }
}

fn runner() -> Runner<Copy> {
    Copy::runner().model(Asked::always(note("a")))
}

fn panics<T>(_: T) {
    resume_unwind(Box::new("a watcher's own trouble"));
}

#[tokio::test]
async fn observers_that_panic_disturb_neither_the_run_nor_others() {
    let (first, last) = (Heard::default(), Heard::default());
    let runner = runner()
        .observe(first.listen())
        .observe(|event, _| panics(event))
        .after_commit(|commit| panics(commit))
        .observe(last.listen());
    let run = runner.run(Book::default()).await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.texts.len()), ("Done".into(), 2));
    assert_eq!(first.words(), last.words());
    assert_eq!(first.words().iter().filter(|word| *word == "Committed").count(), 2);
}

/// What an observer was shown of each event: the run, and the time.
#[derive(Clone, Default)]
struct Contexts(Arc<Mutex<Vec<(String, EventContext)>>>);

impl Contexts {
    fn observer<T: std::fmt::Debug, O: std::fmt::Debug>(
        &self,
    ) -> impl Fn(&RunEvent<T, O>, &EventContext) + Send + Sync + 'static {
        let contexts = self.clone();
        move |event, context| {
            contexts.0.lock().unwrap().push((kind(event), context.clone()));
        }
    }

    /// The runs, in the order in which they began, and how many events each has. All are checked to have
    /// happened between a time and now, each not before the one before.
    fn runs(&self, since: SystemTime) -> Vec<(RunId, usize)> {
        let contexts = self.0.lock().unwrap();
        let mut runs: Vec<(RunId, usize)> = Vec::new();
        let mut last = since;
        for (event, context) in &*contexts {
            assert!(context.at >= last && context.at <= SystemTime::now(), "{event}: {context:?}");
            last = context.at;
            match runs.iter_mut().find(|(run, _)| *run == context.run_id) {
                Some((_, events)) => *events += 1,
                None => runs.push((context.run_id.clone(), 1)),
            }
        }
        runs
    }
}

cot_process! {
    process Twice {
        state: Book,

        task copy {
            process: Copy with Book::default(),
            update: { texts = output.texts },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn an_event_names_its_run_and_has_its_time() {
    let (contexts, since) = (Contexts::default(), SystemTime::now());
    let runner = Twice::runner().model(Asked::always(note("a"))).observe(contexts.observer());
    let one = runner.run(Book::default()).await.unwrap();
    let mut two = runner.start(Book::default()).unwrap();
    let name = two.run_id().clone();
    let mut events = 0;
    while two.next().await.is_some() {
        events += 1;
    }
    assert_eq!(two.await.unwrap().run_id, name);
    let three = runner.run_task(TwiceTask::Copy, Book::default()).await.unwrap();
    let runs = contexts.runs(since);
    let names: Vec<_> = runs.iter().map(|(run, _)| run.clone()).collect();
    assert_eq!(names, [one.run_id, name, three.run_id]);
    // What happens in a process within is of the same run.
    assert_eq!((runs[0].1, runs[1].1), (events, events));
}

#[tokio::test]
async fn an_event_of_a_stored_run_has_the_name_in_the_store() {
    let (contexts, since) = (Contexts::default(), SystemTime::now());
    let store = MemoryStore::default();
    let model = Asked::always(note("a"));
    let runner = Twice::runner().model(model).store(store.clone()).observe(contexts.observer());
    runner.clone().run_id("one").run(Book::default()).await.unwrap();
    let own = runner.run(Book::default()).await.unwrap().run_id;
    let runs = contexts.runs(since);
    assert_eq!((runs[0].0.as_str(), &runs[1].0), ("one", &own));
    assert!(store.run(&own).await.unwrap().unwrap().status.is_ended());
}

#[tokio::test]
async fn a_stored_run_says_that_it_paused_after_what_came_before() {
    let runner = runner().store(MemoryStore::default());
    let mut active = runner.start(Book::default()).unwrap();
    let handle = active.handle();
    let mut events = Vec::new();
    while let Some(event) = active.next().await {
        handle.pause();
        events.push(kind(&event).to_owned());
        if matches!(event, RunEvent::Paused) {
            break;
        }
    }
    assert_eq!(events, ["TaskStarted", "Prompt", "Committed", "TaskFinished", "Paused"]);
}

#[tokio::test]
async fn hooks_hear_of_commits_in_their_order() {
    let heard = Heard::default();
    let (one, two, three) = (heard.clone(), heard.clone(), heard.clone());
    let runner = runner()
        .before_commit(move |_| {
            one.add("before");
            Ok(())
        })
        .after_commit(move |_| two.add("after"))
        .after_commit(move |_| three.add("after too"));
    runner.run(Book::default()).await.unwrap();
    assert_eq!(heard.words(), ["before", "after", "after too"].repeat(2));
}

#[tokio::test]
async fn code_that_panics_halts_the_run_and_not_the_program() {
    let model = Asked::always(note("a"));
    let shaky = || Shaky::runner().model(model.clone());
    for (at, place) in [("update", PanicPlace::Update), ("template", PanicPlace::Template)] {
        let run = shaky().report(Book { texts: vec![at.to_owned()] }).await.unwrap();
        let ShakyOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
        let HaltReason::Panicked(panic) = halt.reason else { panic!("{}", halt.reason) };
        assert_eq!(
            (&*panic.task, panic.place, run.state.texts),
            ("only", place, vec![at.to_owned()])
        );
    }
}

#[tokio::test]
async fn a_model_that_panics_can_t_be_reached() {
    struct Shaken;
    impl LanguageModel for Shaken {
        fn reply<'a>(
            &'a self,
            _: &'a ModelRequest,
        ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
            panic!("no model")
        }
    }
    let run =
        Shaky::runner().model(Shaken).report(Book { texts: vec![String::new()] }).await.unwrap();
    assert!(shown(&run.outcome).contains("it panicked: no model"), "{:?}", run.outcome);
}

fn shake(book: &Book, at: &str) -> String {
    assert_ne!(book.texts[0], at, "shaken");
    book.texts[0].clone()
}

cot_process! {
    process Shaky {
        state: Book,

        task only -> Note {
            prompt: "${shake(state, \"template\")}",
            update: { texts[] = output.text, texts[] = shake(state, "update") },
            may_end,
        }
    }
}

#[tokio::test]
async fn a_hook_that_panics_before_a_commit_halts_the_run() {
    let runner = runner().before_commit(|_| resume_unwind(Box::new("no")));
    let run = runner.report(Book::default()).await.unwrap();
    assert!(shown(&run.outcome).contains("Panicked"), "{:?}", run.outcome);
    assert!(run.state.texts.is_empty());
}

#[tokio::test]
async fn a_step_leaves_one_task() {
    let model = Asked::always(note("a"));
    let mut active = Copy::runner().model(model.clone()).start(Book::default()).unwrap();
    let mut left = Vec::new();
    while let Some(task) = active.step().await {
        left.push((task, model.calls.all()));
    }
    let expected =
        [(CopyTask::One, 1), (CopyTask::Gate, 1), (CopyTask::Two, 2), (CopyTask::Done, 2)];
    assert_eq!(left, expected);
    assert!(active.step().await.is_none());
    assert_eq!(active.await.unwrap().state.texts.len(), 2);
}

#[tokio::test]
async fn events_that_nobody_takes_are_not_kept() {
    let heard = Heard::default();
    let active = runner().observe(heard.listen()).start(Book::default()).unwrap();
    active.finish().await.unwrap();
    let mut active = runner().start(Book::default()).unwrap();
    let mut count = 0;
    while let Some(event) = active.next().await {
        count += 1;
        assert!(!matches!(event, RunEvent::Paused));
    }
    assert_eq!(count, heard.words().len());
}
