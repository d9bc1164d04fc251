//! Many directives of every kind at once: branches, items and tool calls.

use std::{convert::Infallible, time::Duration};

use cot_core::{
    model::{ToolCall, ToolRound},
    prelude::*,
};
use cot_restate::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    processes::{Decision, Note},
    world::World,
};

/// A number to double.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Number {
    number: u32,
}

cot_process! {
    /// Does everything at once.
    pub(crate) process Everything {
        state: {
            input numbers: Vec<u32>,
            first: Option<Decision> = None,
            second: Option<Decision> = None,
            doubled: Vec<u32> = vec![],
            note: String = String::new(),
            inner: Vec<OneState> = vec![],
            waited: u32 = 0,
            held: ToolRound,
        },
        tools: {
            double: double_number "Doubles a number",
            pay: pay "Pays a number" { effect: once, approve: person },
        },
        start: all,
        parallel all [ask_first, ask_second, double, call, perform, run_inner, pause] => done

        task ask_first -> Decision {
            ask: "The first?",
            update: { first = Some(output) },
            next: done,
        }

        task ask_second -> Decision {
            ask: "The second?",
            update: { second = Some(output) },
            next: done,
        }

        task double -> u32 {
            for_each: number in state.numbers,
            run: double,
            max_retries: 1,
            update: { doubled = output },
            next: done,
        }

        task call -> Note {
            prompt: "Call the tools.",
            tools: [double, pay],
            update: { note = output.text },
            on: { interrupted => done },
            next: done,
        }

        task perform -> ToolRound {
            calls: (1..4).map(held_call),
            tools: [double],
            max_concurrency: 2,
            update: held,
            next: done,
        }

        task run_inner {
            for_each: number in state.numbers,
            process: One with OneState::new(*number),
            update: { inner = output },
            next: done,
        }

        task pause { wait: 300ms, next: count }
        task count -> u32 { run: one, update: { waited = output }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Asks a model about one number.
    pub(crate) process One {
        state: { input number: u32, text: String = String::new() },

        task write -> Note {
            prompt: "Write ${state.number}.",
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

async fn double(_: &EverythingState, number: &u32) -> Result<u32, Infallible> {
    Ok(number * 2)
}

async fn double_number(number: &Number) -> Result<u32, Infallible> {
    Ok(number.number * 2)
}

async fn pay(number: &Number) -> Result<String, Infallible> {
    Ok(format!("paid {}", number.number))
}

/// A call of the program; the last one is of a tool that is not there.
fn held_call(number: u32) -> ToolCall {
    let name = if number == 3 { "triple" } else { "double" };
    ToolCall::new(name, json!({ "number": number }))
}

async fn one(_: &EverythingState) -> Result<u32, Infallible> {
    Ok(1)
}

cot_restate::workflow! { pub(crate) struct EverythingWorkflow runs Everything as "Everything"; }

fn answer(prompt: &str) -> Value {
    match prompt {
        _ if prompt.contains("paid 5") => json!({ "text": "both were called" }),
        _ if prompt.contains("Call the tools.") => json!([
            { "tool": "double", "arguments": { "number": 4 } },
            { "tool": "double", "arguments": { "number": 5 } },
            { "tool": "pay", "arguments": { "number": 5 } },
        ]),
        _ => json!({ "text": prompt.split("Write ").nth(1).unwrap() }),
    }
}

#[tokio::test]
async fn branches_items_and_tool_calls_run_at_once() {
    let Some(mut world) = World::start(answer, Duration::ZERO).await else { return };
    world.send("Everything", "ada", EverythingState::new(vec![1, 2, 3])).await;
    let mut asked = Vec::new();
    for restarts in [true, false, true] {
        let question = world.until_asked("Everything", "ada").await.question.unwrap();
        asked.push(question.call.clone());
        if restarts {
            world.nodes[0].restart();
        }
        let yes = json!({ "approved": true, "remark": null });
        let yes = if question.call.contains("approve") { json!({ "approved": true }) } else { yes };
        let call = json!({ "call": question.call, "answer": yes });
        let reply = world.post("Everything", "ada", "answer", &call).await;
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }
    asked.sort_unstable();
    assert_eq!(asked, ["ask_first#1@1", "ask_second#1@1", "call#1@1+approve-3"]);

    let ended = world.attach::<EverythingState>("Everything", "ada").await;
    assert_eq!(ended.outcome, Outcome::End { task: "done".to_owned() });
    let EverythingState { first, second, doubled, note, inner, waited, held, .. } = ended.state;
    assert!(first.is_some_and(|it| it.approved) && second.is_some_and(|it| it.approved));
    assert_eq!((doubled, note.as_str(), waited), (vec![2, 4, 6], "both were called", 1));
    let held: Vec<_> = held.iter().flat_map(|held| held.iter()).map(|(_, it)| &*it.text).collect();
    assert_eq!(held[..2], ["2", "4"]);
    assert!(held[2].starts_with("there is no tool \"triple\""), "{held:?}");
    let texts: Vec<String> = inner.into_iter().map(|one| one.text).collect();
    assert_eq!(texts.iter().map(|text| &text[..1]).collect::<Vec<_>>(), ["1", "2", "3"]);
}
