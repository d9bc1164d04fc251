//! Processes within.

use cot_core::{ActiveRun, ProcessEvent, RunEvent, prelude::*};
use serde::{Deserialize, Serialize};

use super::{Asked, note, shown, until_waiting};
use crate::drive::Note;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Texts {
    texts: Vec<String>,
}

cot_process! {
    pub(crate) process Inner {
        state: Texts,

        task one -> Note { update: { texts[] = output.text }, next: two }
        task two -> Note { update: { texts[] = output.text }, next: end }
        task end { end }
    }
}

cot_process! {
    pub(crate) process Outer {
        state: Texts,

        task before -> Note { update: { texts[] = output.text }, next: inner }

        task inner {
            process: Inner with Texts::default(),
            update: { texts = joined(&state.texts, &output.texts) },
            next: after,
        }

        task after -> Note { update: { texts[] = output.text }, next: done }
        task done { end }
    }
}

fn joined(texts: &[String], inner: &[String]) -> Vec<String> {
    let inner = inner.iter().map(|text| format!("inner {text}"));
    texts.iter().cloned().chain(inner).collect()
}

fn start(model: Asked) -> (ActiveRun<Outer>, cot_core::RunHandle) {
    let active = Outer::runner().model(model).start(Texts::default()).unwrap();
    let handle = active.handle();
    (active, handle)
}

fn inner(event: &ProcessEvent<Outer>) -> Option<ProcessEvent<Inner>> {
    match event {
        RunEvent::Nested { task: OuterTask::Inner, .. } => event.nested::<Inner>(),
        _ => None,
    }
}

#[tokio::test]
async fn what_happens_within_is_told_with_its_types() {
    let (mut active, _) = start(Asked::always(note("a")));
    let (mut texts, mut finished) = (Vec::new(), 0);
    while let Some(event) = active.next().await {
        match inner(&event) {
            Some(RunEvent::Committed { output: InnerOutput::One(note), .. }) => {
                texts.push(format!("one {}", note.text));
            }
            Some(RunEvent::Committed { output: InnerOutput::Two(note), .. }) => {
                texts.push(format!("two {}", note.text));
            }
            Some(RunEvent::Finished { .. }) => finished += 1,
            _ => {}
        }
    }
    assert_eq!((texts, finished), (vec!["one a".to_owned(), "two a".into()], 1));
    let run = active.await.unwrap();
    assert_eq!(run.state.texts, ["a", "inner a", "inner a", "a"]);
    assert_eq!(run.usage.calls, 4);
}

#[tokio::test]
async fn a_run_pauses_at_the_boundaries_within() {
    let model = Asked::always(note("a"));
    let (mut active, handle) = start(model.clone());
    while let Some(event) = active.next().await {
        if matches!(inner(&event), Some(RunEvent::Committed { .. })) {
            break;
        }
    }
    handle.pause();
    let events = until_waiting(&mut active);
    assert!(matches!(events.last(), Some(RunEvent::Paused)), "{events:?}");
    assert!(handle.is_paused() && active.machine().task() == Some(OuterTask::Inner));
    assert_eq!(model.calls.all(), 2);

    let snapshot = active.snapshot().unwrap();
    handle.resume();
    assert_eq!(active.await.unwrap().state.texts.len(), 4);

    let machine = cot_core::Machine::resume(snapshot, cot_core::ResumeOptions::new()).unwrap();
    let run = Outer::runner().model(model.clone()).run_machine(machine).await.unwrap();
    assert_eq!(run.state.texts.len(), 4);
    assert_eq!(model.calls.all(), 6);
}

#[tokio::test]
async fn cancelling_drops_the_call_within() {
    let model = Asked::times(2, note("a"));
    let (mut active, handle) = start(model.clone());
    until_waiting(&mut active);
    assert_eq!(active.machine().task(), Some(OuterTask::Inner));
    assert_eq!((model.calls.all(), model.calls.now()), (3, 1));
    handle.cancel("enough");
    let run = active.finish().report().await.unwrap();
    assert_eq!((model.calls.now(), run.state.texts), (0, vec!["a".to_owned()]));
    assert!(shown(&run.outcome).contains("Cancelled(\"enough\")"));
}
