//! Tasks for each of many items, of which one fails.

use std::time::Duration;

use cot_core::{
    HaltReason, RunEvent,
    model::{ModelError, ModelErrorKind},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::{Asked, each::List, note, shown, until_waiting};
use crate::drive::Note;

cot_process! {
    pub(crate) process Try {
        state: List,

        task first -> Note {
            for_each: item in state.items,
            max_concurrency: 5,
            max_retries: 0,
            full_prompt: "first ${item}",
            update: { notes = output },
            on: { exhausted => second },
            next: done,
        }

        task second -> Note {
            for_each: item in state.items,
            max_concurrency: 5,
            full_prompt: "second ${item}",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

/// The third item fails after a second; all other calls of the first task never end.
fn failing(error: Option<ModelError>) -> Asked {
    Asked::new(move |prompt: String| {
        let error = error.clone();
        async move {
            if prompt == "first 2" {
                sleep(Duration::from_secs(1)).await;
                return error.map_or_else(|| Ok("no JSON".into()), Err);
            }
            if prompt.starts_with("first") {
                std::future::pending::<()>().await;
            }
            sleep(Duration::from_secs(1)).await;
            Ok(note(&prompt).into())
        }
    })
}

#[tokio::test(start_paused = true)]
async fn the_first_failure_drops_the_calls_in_flight() {
    let dead = ModelError::new(ModelErrorKind::Connection, "the line is dead");
    let model = failing(Some(dead));
    let run = Try::runner().model(model.clone()).report(List::new(20)).await.unwrap();
    let TryOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    let HaltReason::ItemFailed(failed) = halt.reason else { panic!("{:?}", halt.reason) };
    assert_eq!((failed.item, failed.total, failed.done.len()), (2, 20, 0));
    assert_eq!((model.calls.now(), model.calls.all()), (0, 5));
    assert!(run.state.notes.is_empty());
}

#[tokio::test(start_paused = true)]
async fn no_call_outlives_its_task_when_the_run_goes_on_to_another_one() {
    let model = failing(None);
    let mut active = Try::runner().model(model.clone()).start(List::new(20)).unwrap();
    while let Some(event) = active.next().await {
        if let RunEvent::TaskStarted { task: TryTask::Second, .. } = event {
            assert_eq!(model.calls.now(), 0);
        }
    }
    let run = active.await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.notes.len()), ("Done".into(), 20));
    assert_eq!((model.calls.most(), model.calls.all()), (5, 25));
}

#[tokio::test(start_paused = true)]
async fn a_run_pauses_after_a_failed_item() {
    let model = failing(None);
    let mut active = Try::runner().model(model.clone()).start(List::new(20)).unwrap();
    until_waiting(&mut active);
    let handle = active.handle();
    handle.pause();
    while !handle.is_paused() {
        active.next().await;
    }
    assert_eq!((model.calls.now(), model.calls.all()), (0, 5));
    handle.resume();
    assert_eq!(active.await.unwrap().state.notes.len(), 20);
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Outside {
    notes: Vec<Note>,
}

cot_process! {
    pub(crate) process Around {
        state: Outside,

        task within {
            process: Try with List::new(10),
            update: { notes = output.notes },
            on: { exhausted => after },
            next: done,
        }

        task after -> Note {
            for_each: _item in [1, 2, 3],
            full_prompt: "after",
            update: { notes = output },
            next: done,
        }

        task done { end }
    }
}

/// The process within halts amid its calls, and the next task makes several at once too.
#[tokio::test(start_paused = true)]
async fn no_call_outlives_the_process_that_made_it() {
    let dead = ModelError::new(ModelErrorKind::Connection, "the line is dead");
    let model = failing(Some(dead));
    let run = Around::runner().model(model.clone()).run(Outside::default()).await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.notes.len()), ("Done".into(), 3));
    assert_eq!((model.calls.now(), model.calls.most(), model.calls.all()), (0, 5, 8));
}
