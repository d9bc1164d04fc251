//! Secrets in the state are not written anywhere.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail like tests")]

use std::time::Duration;

use cot_core::{
    Event, Machine, ResumeOptions, Secret,
    model::{ModelReply, ScriptedModel},
    prelude::*,
    replay::Capture,
};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Word {
    text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Vault {
    key: Secret<String>,
    codes: Vec<Secret<u64>>,
    words: Vec<String>,
}

cot_process! {
    process Keeper {
        state: Vault,
        intro: "All that is known: ${json(state)} ${json_pretty(state)}",

        task ask -> Word {
            prompt: "The key is ${json(state.key)}, the code ${json(state.codes)}.",
            check: uses_key,
            update: { words[] = output.text },
            next: choose,
        }

        task choose { transitions: { ask: "Again: ${json(state)}", done } }
        task done { end }
    }
}

/// Functions expose the secrets that they need.
fn uses_key(_: &Word, vault: &Vault) -> Result<(), Issues> {
    match vault.key.release() {
        Some(_) => Ok(()),
        None => Err(Issues::at("$", "there is no key")),
    }
}

/// Everything that a run writes until its second task waits for a model.
fn written(machine: &mut Machine<Keeper>) -> String {
    let mut text = String::new();
    for reply in [r#"{"text":[1,2]}"#, r#"{"text":"a"}"#] {
        let call = &machine.poll().directives()[0];
        let request = &call.as_model_call().expect("expected a call").request;
        text.push_str(&format!("{call:?}{}", request.prompt()));
        let (id, reply) = (call.id, ModelReply::new(reply));
        machine.handle(Event::Replied { id, reply, elapsed: Duration::ZERO });
    }
    text.push_str(&format!("{:?}", machine.poll()));
    for event in machine.drain_events() {
        text.push_str(&format!("{event:?}{event:#?}"));
    }
    text.push_str(&machine.snapshot().unwrap().to_json().unwrap());
    text.push_str(&serde_json::to_string(machine.history()).unwrap());
    text.push_str(&format!("{machine:?}{:?}", machine.state()));
    text
}

fn started(key: &str, code: u64) -> Machine<Keeper> {
    let mut machine = Keeper::machine();
    machine.record(true);
    let codes = vec![Secret::new(code)];
    machine.start(Vault { key: key.to_owned().into(), codes, words: Vec::new() }).unwrap();
    machine
}

proptest! {
    #[test]
    fn a_run_writes_no_secret(key in "[a-z0-9\"\\\\/+]{3}#[A-Za-z0-9]{8,30}", code in 10_u64.pow(15)..) {
        let text = written(&mut started(&key, code));
        prop_assert!(text.contains("[secret]"), "{text}");
        let escaped = serde_json::to_string(&key).unwrap();
        for secret in [key.as_str(), escaped.trim_matches('"'), &code.to_string()] {
            prop_assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

#[tokio::test]
async fn a_capture_holds_no_secret() {
    let (capture, captured) = Capture::to_memory();
    let model = ScriptedModel::new([
        r#"{ "text": "a" }"#,
        r#"{ "intent": "end", "goTo": "done", "stepAfter": "none" }"#,
    ]);
    let vault = Vault {
        key: Secret::new("abracadabra-17".to_owned()),
        codes: vec![Secret::new(123_456_789)],
        words: Vec::new(),
    };
    let run = Keeper::runner().model(model).capture(capture.clone()).run(vault).await.unwrap();
    capture.finish().unwrap();
    assert_eq!(run.outcome, KeeperOutcome::Done);
    let text = captured.text();
    assert!(text.contains("[secret]"), "{text}");
    assert!(!text.contains("abracadabra") && !text.contains("123456789"), "{text}");
}

#[test]
fn a_resumed_run_gets_its_secret_back() {
    let mut machine = started("k-123", 5);
    written(&mut machine);
    let snapshot = machine.snapshot().unwrap();
    let mut machine = Machine::<Keeper>::resume(snapshot, ResumeOptions::new()).unwrap();
    assert!(machine.state().unwrap().key.is_withheld());
    assert_eq!(machine.state().unwrap().words, ["a"]);
    machine.change_state(|state| state.key = Secret::new("k-123".to_owned()));
    assert_eq!(machine.state().unwrap().key.release().unwrap(), "k-123");
}

#[test]
fn a_snapshot_has_the_state_as_it_was_changed_last() {
    let mut machine = started("k-123", 5);
    let words = |machine: &Machine<Keeper>| {
        let text = machine.snapshot().unwrap().to_json().unwrap();
        let snapshot: serde_json::Value = serde_json::from_str(&text).unwrap();
        snapshot["state"]["words"].clone()
    };
    assert_eq!(words(&machine), serde_json::json!([]));
    machine.change_state(|state| state.words.push("changed".to_owned()));
    assert_eq!(words(&machine), serde_json::json!(["changed"]));
    written(&mut machine);
    assert_eq!(words(&machine), serde_json::json!(["changed", "a"]));
}
