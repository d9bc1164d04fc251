//! A process with tasks of several kinds, and a run of it.

use cot_core::{
    CotOutput, Runner, Usage, cot_process,
    model::{ModelReply, ScriptedModel},
    store::{MemoryStore, RunHistory, RunId},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Draft {
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Text {
    pub text: String,
}

cot_process! {
    pub process Writer {
        state: Draft,
        task draft -> Text { prompt: "Draft.", update: { text = output.text }, next: polish }

        task polish -> Text {
            prompt: "Polish: ${state.text}",
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Name {
    #[schemars(length(min = 2))]
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Mark {
    pub value: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Approval {
    pub is_good: bool,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Letter {
    pub names: Vec<Name>,
    pub text: String,
    pub marks: Vec<Mark>,
    pub is_good: bool,
}

cot_process! {
    pub process Letters {
        state: Letter,
        goal: "A letter",
        max_retries: 1,

        task decide {
            title: "Decide",
            transitions: { add: "Add a name", write: "Write the letter" },
        }

        task add -> Name {
            prompt: "For ${goal}: a name.",
            model: "clever",
            update: { names[] = output },
            next: decide,
        }

        task write {
            process: Writer with Draft { text: String::new() },
            update: { text = output.text },
            next: mark,
        }

        task mark -> Mark {
            for_each: name in state.names,
            prompt: "Mark ${name.name} in ${state.text}.",
            update: marks,
            next: approve,
        }

        task approve -> Approval {
            ask: "Is it good?",
            update: { is_good = output.is_good },
            next: done,
        }

        task done { end }
    }
}

pub fn go(to: &str) -> ModelReply {
    ModelReply::from(json!({ "goTo": to, "intent": "to go on", "stepAfter": "to see" }))
}

pub fn name(name: &str) -> ModelReply {
    ModelReply::from(json!({ "name": name })).usage(Usage::for_call(10, 2).cost(0.5))
}

pub fn said(text: &str) -> ModelReply {
    ModelReply::from(json!({ "text": text }))
}

pub fn mark(value: u32) -> ModelReply {
    ModelReply::from(json!({ "value": value }))
}

pub fn runner(
    store: &MemoryStore,
    replies: Vec<ModelReply>,
    names: Vec<ModelReply>,
) -> Runner<Letters> {
    Letters::runner()
        .model(ScriptedModel::new(replies))
        .engine("clever", ScriptedModel::new(names))
        .person(|_| std::future::ready(json!({ "is_good": true })))
        .store(store.clone())
}

/// Returns a run that has ended.
pub async fn finished() -> (MemoryStore, RunId) {
    let store = MemoryStore::default();
    let replies = vec![
        go("add"),
        go("nowhere"),
        go("add"),
        go("write"),
        said("Dear all"),
        said("Dear Anna, dear Ben"),
        mark(1),
        mark(2),
    ];
    let names = vec![name("x"), ModelReply::new("{'name': 'Anna'}"), name("Ben")];
    let run = runner(&store, replies, names).run_id("letter").run(Letter::default()).await.unwrap();
    assert!(run.state.is_good, "{run:?}");
    (store, "letter".parse().unwrap())
}

pub async fn history(store: &MemoryStore, run: &RunId) -> RunHistory {
    RunHistory::load(store, run).await.unwrap().unwrap()
}
