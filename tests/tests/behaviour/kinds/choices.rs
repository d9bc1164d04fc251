//! A task that asks for nothing but a choice, while one transition is open.

use cot_core::{
    model::ScriptedModel,
    prelude::*,
    store::{MemoryStore, RunHistory},
    testing::Coverage,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Notes {
    notes: Vec<Note>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
}

cot_process! {
    process Writing {
        state: Notes,

        task hub {
            transitions: { write: "Write a note" if state.notes.is_empty(), stop: "Enough" },
        }

        task write -> Note { prompt: "Write.", update: notes[], next: hub }
        task stop { end }
    }
}

#[tokio::test]
async fn one_open_transition_needs_no_call_and_is_covered() {
    let (coverage, store) = (Coverage::<Writing>::new(), MemoryStore::default());
    let go = json!({ "goTo": "write", "intent": "begin", "stepAfter": "stop" });
    let model = ScriptedModel::new([go, json!({ "text": "a note" })]);
    let runner = Writing::runner().model(model).store(store.clone()).observe(coverage.watch());
    let run = runner.run(Notes::default()).await.unwrap();
    assert_eq!((run.usage.calls, run.state.notes.len()), (2, 1));
    assert!(coverage.missing().iter().all(|it| !it.contains("stop")), "{:?}", coverage.missing());

    let history = RunHistory::load(&store, &run.run_id).await.unwrap().unwrap();
    let last = history.steps.last().unwrap();
    assert_eq!((last.task.as_str(), last.route.as_deref()), ("hub", Some("only_transition")));
    assert_eq!((last.next.as_deref(), last.attempts.len()), (Some("stop"), 0));
}
