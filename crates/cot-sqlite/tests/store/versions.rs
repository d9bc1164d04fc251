//! Runs of an earlier version of their process.

use cot_core::{
    ResumeOptions, RunError, Runner, SnapshotError,
    model::ScriptedModel,
    prelude::*,
    store::{Status, Store},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::kit::{Place, id};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Letter {
    lines: Vec<String>,
}

/// A version of the process with these tasks after the first one.
macro_rules! version {
    ($module:ident, $($tasks:tt)*) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(super) process Letters {
                    state: Letter,
                    task write -> Line { prompt: "Write.", update: { lines[] = output.text }, next: approve }
                    $($tasks)*
                    task done { end }
                }
            }
        }
    };
}

version!(first, task approve -> Line { ask: "Fine?", update: { lines[] = output.text }, next: done });
version!(grown,
    task approve -> Line { ask: "Fine?", update: { lines[] = output.text }, next: log }
    task log -> Line { prompt: "Log.", update: { lines[] = output.text }, next: done }
);
version!(moved,
    task approve { next: check }
    task check -> Line { ask: "Is it true?", update: { lines[] = output.text }, next: done }
);

/// A database with a run of the first version that waits for a person.
async fn waiting() -> Place {
    let place = Place::new();
    let model = ScriptedModel::new([json!({ "text": "a" })]);
    let runner = first::Letters::runner().model(model).store(place.open()).run_id("letter");
    let mut run = runner.start(Letter::default()).unwrap();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    place
}

async fn answer(place: &Place, text: &str) {
    let store = place.open();
    let Status::Asking { key, .. } = store.run(&id("letter")).await.unwrap().unwrap().status else {
        panic!("it asks nobody")
    };
    store.put_answer(&id("letter"), &key, json!({ "text": text })).await.unwrap();
}

fn runner<P: Process<Context = ()>>(place: &Place) -> Runner<P> {
    let model = ScriptedModel::from_fn(|_| json!({ "text": "log" }));
    Runner::new().model(model).store(place.open())
}

#[tokio::test]
async fn a_run_continues_where_its_task_is_the_same() {
    let place = waiting().await;
    answer(&place, "b").await;
    let run = runner::<grown::Letters>(&place).resume("letter").unwrap().await.unwrap();
    assert_eq!(run.state.lines, ["a", "b", "log"]);
}

#[tokio::test]
async fn a_run_is_refused_or_moved_where_its_task_is_another() {
    let place = waiting().await;
    let before = place.open().run(&id("letter")).await.unwrap().unwrap();
    let refused = runner::<moved::Letters>(&place).resume("letter").unwrap().await;
    let Err(RunError::Snapshot(SnapshotError::Incompatible { conflicts, .. })) = refused.map(drop)
    else {
        panic!("it was not refused")
    };
    let text = "its task `approve` has begun as `human` and is of the kind `gateway` now";
    assert!(conflicts[0].to_string().starts_with(text), "{conflicts:?}");
    assert_eq!(place.open().run(&id("letter")).await.unwrap().unwrap(), before);

    let options = ResumeOptions::new().migrate(|run| {
        run.move_to("check");
        Ok(())
    });
    let runner = runner::<moved::Letters>(&place).resume_options(options);
    let mut run = runner.resume("letter").unwrap();
    while let Some(event) = run.next().await {
        if matches!(event, RunEvent::Asked { .. }) {
            break;
        }
    }
    drop(run);
    // It is stored as a run of the later version.
    answer(&place, "c").await;
    let run = self::runner::<moved::Letters>(&place).resume("letter").unwrap().await.unwrap();
    assert_eq!(run.state.lines, ["a", "c"]);
}
