//! A manifest says of a stored run what a program of that version says.

use cot_core::{
    Action, Description, Event, Machine, Migration, ResumeOptions, Snapshot, SnapshotError,
    prelude::*,
};
use cot_engine::internal::{ManifestError, VersionManifest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Line {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Longer {
    text: String,
    more: u32,
}

/// A version of the sub-process. Two processes of one macro would have the same place in the source.
macro_rules! inner {
    ($module:ident, $second:ident) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(super) process Inner {
                    state: Vec<String>,
                    task first -> Line { prompt: "First.", next: $second }
                    task $second -> Line { ask: "Second?", next: done }
                    task done { end }
                }
            }
        }
    };
}

inner!(inner_first, second);
inner!(inner_changed, third);

/// A version of the process.
macro_rules! version {
    ($module:ident, $inputs:ty, $prompt:literal, $inner:ident, $kind:ident) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(super) process Outer {
                    state: Vec<String>,
                    task choose { prompt: "Which?", transitions: { fetch with model, done } }
                    task fetch { inputs: $inputs, prompt: $prompt, transitions: { ask, inner, choose } }
                    task ask -> Line { $kind: "What?" }
                    task inner { process: $inner::Inner with Vec::new() }
                    task done { end }
                }
            }
        }
    };
}

version!(first, Line, "Fetch ${inputs.text}.", inner_first, ask);
version!(reworded, Line, "Please fetch ${inputs.text}.", inner_first, ask);
version!(changed, Longer, "Fetch ${inputs.text}.", inner_changed, prompt);

fn go(task: &str) -> Value {
    json!({ "intent": "try it", "goTo": task, "stepAfter": "see" })
}

fn fetch() -> Value {
    let mut reply = go("fetch");
    reply["inputs"] = json!({ "text": "it" });
    reply
}

/// Snapshots of a run before and after each poll.
fn snapshots() -> Vec<Snapshot> {
    let mut replies = [fetch(), go("ask"), json!({ "text": "a" }), go("inner")]
        .into_iter()
        .chain([json!({ "text": "b" }), json!({ "text": "c" }), go("choose"), go("done")]);
    let mut machine = Machine::<first::Outer>::new();
    machine.start(Vec::new()).unwrap();
    let mut taken = Vec::new();
    loop {
        taken.push(machine.snapshot().unwrap());
        let call = machine.poll().directives().first().cloned();
        taken.push(machine.snapshot().unwrap());
        let Some(call) = call else { return taken };
        let (id, elapsed) = (call.id, std::time::Duration::ZERO);
        let value = replies.next().unwrap();
        machine.handle(match &call.action {
            Action::AskHuman(_) => Event::Answered { id, answer: value, elapsed },
            _ => Event::Replied { id, reply: value.into(), elapsed },
        });
    }
}

/// Returns the number of snapshots with conflicts, which a program and the manifest report alike.
fn compared<P: Process<Context = ()>>() -> usize {
    let manifest = Description::new::<P>().manifest().to_string();
    let manifest = VersionManifest::from_json(&manifest).unwrap();
    let mut found = 0;
    for snapshot in snapshots() {
        let by_manifest = manifest.conflicts(&snapshot, false).unwrap();
        let never = |run: &mut Migration| panic!("called for {run:?}");
        let options = if by_manifest.is_empty() {
            ResumeOptions::new().migrate(never)
        } else {
            ResumeOptions::new()
        };
        let by_program = match Machine::<P>::resume(snapshot, options) {
            Ok(_) => Vec::new(),
            Err(SnapshotError::Incompatible { conflicts, .. }) => conflicts,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(by_manifest, by_program);
        found += usize::from(!by_program.is_empty());
    }
    found
}

#[test]
fn manifests_and_programs_agree() {
    assert_eq!(compared::<first::Outer>(), 0);
    assert_eq!(compared::<reworded::Outer>(), 3, "`fetch` has asked three times");
    assert!(compared::<changed::Outer>() > 10);
}

#[test]
fn another_text_is_no_manifest() {
    for text in ["", "{}", "[]", r#"{"manifest":1}"#, r#"{"manifest":1,"name":"a","tasks":[]}"#] {
        let error = VersionManifest::from_json(text).unwrap_err();
        assert!(matches!(error, ManifestError::NotAManifest(_)), "{text}");
    }
    let error = VersionManifest::from_json(r#"{"manifest":2}"#).unwrap_err();
    assert!(matches!(error, ManifestError::Format { found: 2, .. }), "{error}");
}
