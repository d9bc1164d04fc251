//! What a description says about trust.

use std::sync::Arc;

use cot_core::{
    model::ScriptedModel,
    prelude::*,
    store::{MemoryStore, RunHistory},
};
use serde_json::json;

use crate::desks::{Careless, Payment, Summary};

cot_process! {
    process Clinic {
        state: {
            untrusted input mail: String,
            private input name: String,
            summary: String = String::new(),
        },
        model: "cloud",
        private: ["local"],
        trust: strict,
        history: { untrusted: quoted },

        task read -> Summary {
            prompt: "Sum up:\n${quoted(state.mail)}",
            update: { summary = output.text },
            next: match_it,
        }

        task match_it -> Payment {
            model: "local",
            prompt: "Does it concern ${state.name}?\n${quoted(&state.summary)}",
            no_history,
            next: done,
        }

        task done { end }
    }
}

#[test]
fn fields_are_described_with_the_engines_that_they_reach() {
    let description = Clinic::describe();
    let flow = |task: &str, shown: &[&str], engine: &str| json!({ "task": task, "shown": shown, "engines": [engine], "untrusted": true });
    let expected = json!({
        "strict": true,
        "untrusted": ["mail"],
        "private": ["name"],
        "private_members": ["name"],
        "engines": ["local"],
        "history": "quoted",
        "flows": [flow("read", &["mail"], "cloud"), flow("match_it", &["mail", "name"], "local")],
    });
    assert_eq!(description.manifest()["trust"], expected);
    let text = description.text();
    for line in [
        "Trust: strict; untrusted: mail; private: name",
        "  read: shows mail to cloud; what comes of it is untrusted",
        "  match_it: shows mail, name to local; what comes of it is untrusted",
    ] {
        assert!(text.lines().any(|it| it == line), "no `{line}` in {text}");
    }
}

#[tokio::test]
async fn the_marks_of_each_call_are_stored() {
    let store = MemoryStore::default();
    let model =
        ScriptedModel::new([json!({ "text": "short" }), json!({ "payee": "Ada", "amount": 1 })]);
    let model = Arc::new(model);
    let runner = Clinic::runner().engine("cloud", Arc::clone(&model)).engine("local", model);
    let state = ClinicState::new("Hi".into(), "Ben".into());
    let run = runner.store(store.clone()).run_id("first").run(state).await;
    assert!(run.is_ok(), "{run:?}");
    let history = RunHistory::load(&store, &"first".parse().unwrap()).await.unwrap();
    let history = serde_json::to_value(history).unwrap();
    let marks = |step: usize| history["steps"][step]["attempts"][0]["marks"].clone();
    let untrusted =
        json!({ "untrusted": ["mail"], "untrusted_prompt": true, "untrusted_reply": true });
    assert_eq!(marks(0), untrusted, "{history:#}");
    let both = json!({
        "untrusted": ["mail"],
        "private": ["name"],
        "untrusted_prompt": true,
        "untrusted_reply": true,
    });
    assert_eq!(marks(1), both);
}

#[test]
fn a_process_without_marks_is_described_as_before() {
    let description = Careless::describe();
    assert_eq!(description.manifest().get("trust"), None);
    assert!(!description.text().contains("Trust"));
}
