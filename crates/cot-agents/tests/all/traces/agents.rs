//! Traces of questions, chains and conversations, which are runs of processes.

use std::{convert::Infallible, fmt, sync::Arc};

use cot_core::{
    CotOutput,
    model::ScriptedModel,
    plan_execute::{ChainOfThought, Context, Execute, Plan},
    reasoning::Reasoner,
    store::{MemoryStore, RunHistory},
    task_format::{Trace, load_trace, session::Session},
    tools::ToolSet,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::traces::lossless::{assert_lossless, assert_sound};

/// A place.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Place {
    zip_code: String,
}

#[derive(Debug)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sensor is 「broken」")
    }
}

impl std::error::Error for Broken {}

async fn load(store: &MemoryStore, run: &str) -> Trace {
    let run = run.parse().unwrap();
    let history = RunHistory::load(store, &run).await.unwrap().unwrap();
    let trace = load_trace(store, &run).await.unwrap().unwrap();
    assert_sound(&trace);
    assert_lossless(&trace, &history);
    trace
}

#[track_caller]
fn assert_contains(trace: &Trace, parts: &[&str]) {
    let text = trace.to_string();
    for part in parts {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[tokio::test]
async fn a_question_has_a_trace() {
    let store = MemoryStore::default();
    let model = ScriptedModel::new(["1. It leaves 「at」 9:40.\n2. It takes 2:35.\nAnswer: 12:15"]);
    let reasoner =
        Reasoner::new(model).configure(|runner| runner.store(store.clone()).run_id("arrival"));
    reasoner.run("When?").await.unwrap();
    let trace = load(&store, "arrival").await;
    assert_contains(
        &trace,
        &[
            "A run of the process Reason",
            "When?",
            "1. It leaves 「at」 9:40.",
            "The run came to its end at `done`.",
        ],
    );
}

#[tokio::test]
async fn a_chain_has_a_trace() {
    let store = MemoryStore::default();
    let replies = [
        json!({
            "todos": "- [ ] look it up\n- [ ] answer",
            "action": "look",
            "arguments": { "zip_code": "94103" },
        }),
        json!({
            "current": "look it up",
            "result": "It is \"68\" °F.",
            "todos": "- [x] look it up\n- [ ] answer",
            "action": "continue",
        }),
        json!({
            "current": "answer",
            "result": "done",
            "todos": "- [x] look it up\n- [x] answer",
            "action": "stop",
            "final": "It is 68 「°F」.",
        }),
    ];
    let model = Arc::new(ScriptedModel::new(replies.map(|reply| reply.to_string())));
    let tools = ToolSet::new().tool("look", "Looks it up", async |place: Place| {
        Ok::<_, Infallible>(format!("68 °F in {}", place.zip_code))
    });
    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
    let chain = chain.tools(tools);
    let stored = store.clone();
    let chain = chain.configure(move |runner| runner.store(stored.clone()).run_id("chain"));
    let mut context = Context::new("How warm is it?");
    chain.run(&mut context).await.unwrap();
    let trace = load(&store, "chain").await;
    assert_contains(
        &trace,
        &[
            "How warm is it?",
            "tool ↦ look",
            "68 °F in 94103",
            "zip_code ↦ \"94103\"",
            "It is \"68\" °F.",
            "It is 68 「°F」.",
            "The run came to its end at",
        ],
    );
}

#[tokio::test]
async fn a_conversation_has_a_trace_before_and_after_it_is_opened_again() {
    let store = MemoryStore::default();
    let plan = "plan { todo ↦ { 1 ↦ \"Look.\" • 2 ↦ \"Answer.\" } • rationale ↦ \"Easy.\" }\n\n";
    let call = "act { call ↦ { tool ↦ get_weather • zip_code ↦ \"94103\" • id ↦ w1 } ⊨ 1 }\n";
    let failing = "act { call ↦ { tool ↦ fails • zip_code ↦ \"94103\" • id ↦ w2 } ⊨ 1 }\n";
    let answer = "response「It is 68 °F.」 ⊨ 2\n";
    let open = async |replies: Vec<String>| {
        let builder =
            Session::builder(ScriptedModel::new(replies)).system("You know the weather.").tools(
                ToolSet::new()
                    .tool("get_weather", "The weather at a place", async |place: Place| {
                        Ok::<_, Infallible>(format!("68 °F in {}", place.zip_code))
                    })
                    .tool("fails", "Fails", async |_: Place| Err::<(), _>(Broken)),
            );
        builder.open(store.clone(), "talk").await.unwrap()
    };
    let first = vec![format!("{plan}{call}"), format!("act {{ call ↦ 7 }}"), answer.to_owned()];
    let mut session = open(first).await;
    session.user("How warm is 「it」?").await.unwrap();
    drop(session);
    let trace = load(&store, "talk").await;
    assert_contains(
        &trace,
        &[
            "How warm is 「it」?",
            "tool ↦ get_weather",
            "68 °F in 94103",
            "The run is not over. A person is asked at `user`: It is 68 °F.",
        ],
    );

    let mut session = open(vec![format!("{plan}{failing}"), answer.to_owned()]).await;
    session.user("And now?").await.unwrap();
    let trace = load(&store, "talk").await;
    assert_contains(
        &trace,
        &["You know the weather.", "How warm is 「it」?", "And now?", "the sensor is 「broken」"],
    );
    assert_eq!(trace.to_string().matches("the run begins here").count(), 1);
}
