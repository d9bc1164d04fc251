//! Sets of tools, as sources for processes.
#![expect(clippy::disallowed_methods, reason = "tests measure the time that they pause")]

use std::{
    convert::Infallible,
    future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cot_core::{
    Approval, Effect, EffectError, FunctionError, SourceTool, ToolSource,
    model::{BoxFuture, ToolCall, ToolRound},
    prelude::*,
    tools::{Tool, ToolSet},
};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Count {
    to: u32,
}

async fn count(count: Count) -> Result<u32, Infallible> {
    Ok(count.to)
}

/// The tools as a process sees them: name, whether a call is made once, and whether a person is asked.
fn listed(set: &ToolSet) -> Vec<(&str, bool, bool)> {
    let tools = set.tools().iter();
    tools.map(|tool| (tool.name(), tool.effect == Effect::Once, tool.needs_approval)).collect()
}

async fn call(set: &ToolSet, tool: &str) -> Result<Value, FunctionError> {
    set.call(tool, json!({ "to": "3" }), "run/calls#1+tool-1").await
}

#[tokio::test]
async fn each_tool_of_the_source_has_its_settings() {
    let set = ToolSet::new()
        .tool("a", "Counts", count)
        .add(Tool::new("b", "Counts", count).once())
        .add(Tool::new("c", "Counts", count).approved())
        .add(Tool::new("d", "Counts", count).approved().once());
    let expected = [("a", false, false), ("b", true, false), ("c", false, true), ("d", true, true)];
    assert_eq!(listed(&set), expected);
    for (name, ..) in expected {
        assert_eq!(call(&set, name).await, Ok(json!(3)));
    }
    assert!(call(&set, "e").await.is_err());
    // A clone is a set of its own.
    let other = set.clone().add(Tool::new("a", "Counts once", count).once());
    assert_eq!(listed(&other)[1..], [expected[2], expected[3], ("a", true, false)]);
    assert_eq!(other.iter().map(Tool::name).collect::<Vec<_>>(), ["b", "c", "d", "a"]);
    let descriptions = [&set, &other].map(|set| set.tools().iter().map(|it| &*it.description));
    let [own, others] = descriptions.map(|all| all.filter(|it| *it == "Counts once").count());
    assert_eq!((own, others, listed(&set)), (0, 1, expected.to_vec()));
}

#[tokio::test]
async fn definitions_are_checked_and_arguments_coerced() {
    let bad = json!({ "name": "bad", "parameters": { "type": "nothing" } });
    let echo = async |given: Value| Ok::<_, Infallible>(given);
    let error = Tool::from_json(&bad, echo).unwrap_err();
    assert!(error.to_string().starts_with("the definition of the tool `bad` is invalid: "));
    for (definition, problem) in [
        (json!({ "description": "x" }), "a tool needs a name"),
        (json!({ "name": "t", "parameters": 1 }), "they are not an object"),
        (bad, "its schema is invalid"),
    ] {
        let error = Tool::from_json(&definition, echo).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
    let good = json!({ "name": "echo", "parameters": {
        "type": "object", "properties": { "to": { "type": "integer" } }, "required": ["to"] } });
    let set = ToolSet::new().add(Tool::from_json(&good, echo).unwrap());
    assert_eq!(call(&set, "echo").await, Ok(json!({ "to": 3 })));
    let error = set.call("echo", json!({ "to": "x" }), "key").await.unwrap_err();
    assert!(error.to_string().starts_with("the arguments are wrong: "), "{error}");
}

/// A source whose tool returns the key of its call.
struct Keys([SourceTool; 1]);

impl ToolSource for Keys {
    fn tools(&self) -> &[SourceTool] {
        &self.0
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        _: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(async move { Ok(json!([tool, key])) })
    }
}

#[tokio::test]
async fn a_source_is_a_part_of_a_set() {
    let keys = || Keys([SourceTool::new("key", "Returns its key", json!({ "type": "object" }))]);
    let mut set: ToolSet = Tool::from_source(keys()).unwrap().into_iter().collect();
    assert_eq!(call(&set, "key").await, Ok(json!(["key", "run/calls#1+tool-1"])));
    set.extend(Tool::from_source(keys()).unwrap().into_iter().map(Tool::once));
    assert_eq!(listed(&set), [("key", true, false)]);
    // A set is a source, and a set of its tools has their settings.
    let again = Tool::from_source(set).unwrap().into_iter().collect();
    assert_eq!(listed(&again), [("key", true, false)]);
}

/// A function that fails a number of times before it succeeds, and counts its calls.
fn failing(times: usize, calls: &Arc<AtomicUsize>) -> Tool {
    let calls = Arc::clone(calls);
    Tool::new("count", "Counts", move |count: Count| {
        let call = calls.fetch_add(1, Ordering::SeqCst);
        async move {
            match call < times {
                true => Err(FunctionError::not_done("busy")),
                false => Ok(count.to),
            }
        }
    })
}

#[tokio::test(start_paused = true)]
async fn failed_calls_are_repeated_and_slow_ones_end() {
    for (retries, calls_made, ends_well) in [(0, 1, false), (1, 2, false), (2, 3, true)] {
        let calls = Arc::new(AtomicUsize::new(0));
        let set = ToolSet::new().add(failing(2, &calls).once().max_retries(retries));
        assert_eq!(call(&set, "count").await.is_ok(), ends_well);
        assert_eq!(calls.load(Ordering::SeqCst), calls_made);
    }
    let stuck =
        || Tool::new("stuck", "Never ends", |_: Count| future::pending::<Result<(), Infallible>>());
    let set = ToolSet::new().add(stuck().max_retries(3)).timeout(Duration::from_secs(2));
    let error = call(&set, "stuck").await.unwrap_err();
    assert_eq!(error.to_string(), "it took longer than 2s");
    // Nobody knows whether it has had its effect, so it is not repeated.
    let set = set.add(stuck().once().max_retries(3).timeout(Duration::from_secs(1)));
    let started = tokio::time::Instant::now();
    let error = call(&set, "stuck").await.unwrap_err();
    assert_eq!((error.outcome(), started.elapsed().as_secs()), (EffectError::Unknown, 1));
}

#[tokio::test(start_paused = true)]
async fn calls_wait_for_each_other_and_results_are_bounded() {
    let running = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&running);
    let slow = move |_: Count| {
        let running = Arc::clone(&seen);
        async move {
            let others = running.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(1)).await;
            running.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, Infallible>(if others < 2 {
                "x".repeat(100_000)
            } else {
                "too many".to_owned()
            })
        }
    };
    let set = ToolSet::new()
        .tool("slow", "Is slow", slow)
        .max_concurrency(2)
        .timeout(Duration::from_millis(1500));
    let results = join_all((0..6).map(|_| call(&set, "slow"))).await;
    for result in results {
        let json = result.unwrap().to_string();
        assert!(json.len() < 64 << 10 && json.ends_with(" bytes more)\""), "{}", json.len());
    }
    let set = set.max_result_bytes(10);
    let result = call(&set, "slow").await.unwrap();
    assert_eq!(result, json!("xxxxxxxxxx… (99990 bytes more)"));
}

struct Tools {
    own: ToolSet,
}

cot_process! {
    /// Counts, by the tools of the program.
    process Counting {
        state: { input calls: Vec<ToolCall>, round: ToolRound },
        context: Tools,
        tools: { own: source app.own { only: all } },
        task count -> ToolRound { calls: state.calls, tools: [own], update: round, next: done }
        task done { end }
    }
}

#[tokio::test]
async fn a_process_asks_for_the_approvals_of_its_tools() {
    let set = |tool| Tools { own: ToolSet::new().tool("other", "Counts", count).add(tool) };
    let calls = || CountingState::new(vec![ToolCall::new("count", json!({ "to": 3 }))]);
    let tool = || Tool::new("count", "Counts", count);
    let run = Counting::runner(set(tool())).run(calls()).await.unwrap();
    assert_eq!(run.state.round.unwrap().calls[0].1.text, "3");
    // Nobody can be asked.
    let runner = Counting::runner(set(tool().approved()));
    let error = runner.run(calls()).await.unwrap_err();
    assert!(matches!(&error, RunError::NobodyAnswers { tasks } if tasks == &["count"]), "{error}");
    let run = runner.person(async |_| Approval::deny("no")).run(calls()).await.unwrap();
    let (_, result) = &run.state.round.unwrap().calls[0];
    assert_eq!(result.text, "a person did not approve the call: no");
}
