//! What a run keeps can be read again, however deep it is nested.

use std::sync::{Arc, Mutex};

use cot_core::{SnapshotError, model::ScriptedModel, prelude::*, store::RunHistory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kit::{Place, id};

/// A note of any form.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    value: Value,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Notes {
    value: Value,
}

cot_process! {
    process Noting {
        state: Notes,
        max_retries: 1,

        task note -> Note { prompt: "Write a note.", update: { value = output.value }, next: done }
        task done { end }
    }
}

cot_process! {
    process Silent {
        state: Notes,
        history: none,
        max_retries: 1,

        task note -> Note { prompt: "Write a note.", update: { value = output.value }, next: done }
        task done { end }
    }
}

cot_process! {
    process Wrapping {
        state: Notes,
        max_steps: 1000,

        task wrap -> Note {
            prompt: "Write a note.",
            update: { value = json!([state.value]) },
            next: { done if state.value.is_boolean(), wrap },
        }

        task done { end }
    }
}

/// The reply whose value has so many levels, in an object that is one more.
fn reply(levels: usize) -> String {
    format!(r#"{{"value":{}1{}}}"#, "[".repeat(levels), "]".repeat(levels))
}

macro_rules! keeps {
    ($process:ident, $state:ident, $levels:expr, $accepted:expr) => {{
        let (place, issues) = (Place::new(), Arc::new(Mutex::new(Vec::new())));
        let seen = Arc::clone(&issues);
        let runner = $process::runner()
            .model(ScriptedModel::new([reply($levels), reply(1)]))
            .observe(move |event, _| seen.lock().unwrap().push(event.to_string()))
            .store(place.open())
            .run_id("deep");
        let outcome = runner.run(Notes::default()).await.unwrap();
        let kept = if $accepted { reply($levels) } else { reply(1) };
        assert_eq!(serde_json::to_string(&outcome.state).unwrap(), kept);
        let issues = issues.lock().unwrap().join("\n");
        assert_eq!(issues.contains("more than 96 levels deep"), !$accepted, "{issues}");
        let history = RunHistory::load(&place.open(), &id("deep")).await.unwrap().unwrap();
        assert_eq!(history.steps.len(), 1, "{} levels", $levels);
    }};
}

#[tokio::test]
async fn a_reply_that_could_not_be_read_again_is_refused_before_the_commit() {
    // The object around the value is a level, and so is the entry of the history.
    for (levels, accepted) in
        [(50, true), (94, true), (96, false), (110, false), (123, false), (126, false)]
    {
        keeps!(Noting, Notes, levels, accepted);
        keeps!(Silent, Notes, levels, accepted);
    }
}

#[tokio::test]
async fn a_state_that_grows_level_by_level_is_refused_before_it_is_stored() {
    let place = Place::new();
    let runner = Wrapping::runner()
        .model(ScriptedModel::from_fn(|_| reply(1)))
        .store(place.open())
        .run_id("grows");
    let error = runner.run(Notes::default()).await.unwrap_err();
    let RunError::Snapshot(SnapshotError::UnwritableState(why)) = &error else { panic!("{error}") };
    assert_eq!(why.to_string(), "it nests lists and objects more than 96 levels deep");
    // What was stored before can be read.
    let history = RunHistory::load(&place.open(), &id("grows")).await.unwrap().unwrap();
    assert!((90..=97).contains(&history.steps.len()), "{}", history.steps.len());
}
