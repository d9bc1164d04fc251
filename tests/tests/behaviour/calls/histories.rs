//! The histories of stored runs have calls whole.

use cot_core::{
    model::{ModelReply, ScriptedModel, ToolCall},
    prelude::*,
    store::{Answer, MemoryStore, RunHistory, StepHistory},
};
use serde_json::json;

use super::{
    desk::{App, Desk, burn, papers, read_call},
    gone::{Desks, DesksState},
};

fn long_call(name: &str, end: char) -> ToolCall {
    let text = "x".repeat(3000);
    ToolCall::new(name, json!({ "text": format!("{text}{end}") }))
}

async fn history(store: &MemoryStore) -> RunHistory {
    RunHistory::load(store, &"run".parse().unwrap()).await.unwrap().unwrap()
}

fn arguments(step: &StepHistory) -> Vec<&str> {
    step.tools.iter().map(|call| &*call.arguments).collect()
}

#[tokio::test]
async fn long_arguments_of_calls_of_the_state_are_whole() {
    let calls = [read_call("a"), long_call("read", 'a'), long_call("read", 'b')];
    // Calls that are answered at once leave no position.
    for calls in [calls.to_vec(), vec![long_call("shred", 'a'), long_call("shred", 'b')]] {
        let store = MemoryStore::default();
        let runner = Desk::runner(App::default()).store(store.clone()).run_id("run");
        let runner = runner.person(|_| async { cot_core::Approval::approve() });
        runner.run(papers(calls.clone())).await.unwrap();
        let history = history(&store).await;
        let expected: Vec<&str> = calls.iter().map(|call| &*call.arguments).collect();
        assert_eq!(arguments(&history.steps[0]), expected);
    }
}

#[tokio::test]
async fn long_arguments_in_items_are_whole() {
    let store = MemoryStore::default();
    let desks = ['a', 'b', 'c'].map(|end| papers([read_call("a"), long_call("read", end)]));
    let runner = Desks::runner(App::default()).store(store.clone()).run_id("run");
    let runner = runner.person(|_| async { cot_core::Approval::approve() });
    runner.run(DesksState::new(desks.to_vec())).await.unwrap();
    let history = history(&store).await;
    let nested = history.steps[0].nested.iter().filter(|step| step.task == "work");
    let mut items = 0;
    for step in nested {
        let expected = &desks[step.item.unwrap()].calls;
        assert_eq!(arguments(step)[1], expected[1].arguments);
        items += 1;
    }
    assert_eq!(items, 3);
}

cot_process! {
    process Reader {
        state: { name: String = String::new() },
        tools: { burn: burn "Burns a letter" },

        task ask -> String {
            prompt: "What next?",
            read: first_call,
            tools: [burn],
            update: { name = output },
            next: done,
        }

        task done { end }
    }
}

fn first_call(reply: &ModelReply, _: &ReaderState) -> Result<String, Issues> {
    let call = reply.tool_calls.first();
    call.map(|call| call.name.clone()).ok_or_else(|| Issues::at("$", "no call"))
}

#[tokio::test]
async fn the_calls_of_a_reply_that_the_program_reads_are_in_its_answer() {
    let (store, call) = (MemoryStore::default(), long_call("burn", 'a'));
    let model = ScriptedModel::new([ModelReply::calling([call.clone()])]);
    let runner = Reader::runner().model(model).store(store.clone()).run_id("run");
    let run = runner.run(ReaderState::new()).await.unwrap();
    assert_eq!(run.state.name, "burn");
    let history = history(&store).await;
    let Some(Answer::Replied { tool_calls, .. }) = &history.steps[0].attempts[0].answer else {
        panic!("{history:?}")
    };
    assert_eq!(*tool_calls, [call]);
    assert!(history.steps[0].tools.is_empty());
}
