//! A process whose model calls the tools of a server.

use std::process::Command;

use cot_core::{mcp::McpTools, model::ScriptedModel, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::support::{connect, example};

struct App {
    server: McpTools,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Answer {
    text: String,
}

cot_process! {
    process Agent {
        state: Answer,
        context: App,
        tools: {
            server: source app.server { only: [echo, fail, huge, die] },
        },
        max_tool_calls: 8,

        task answer -> Answer {
            prompt: "What does the server say?",
            tools: [server],
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn a_model_calls_the_tools_of_a_server() {
    let model = std::sync::Arc::new(ScriptedModel::new([
        json!({ "tool": "echo", "arguments": { "text": "seven" } }),
        json!({ "tool": "fail", "arguments": {} }),
        json!({ "tool": "pid", "arguments": {} }),
        json!({ "tool": "huge", "arguments": { "bytes": 10_000_000 } }),
        json!({ "tool": "die", "arguments": {} }),
        json!({ "tool": "echo", "arguments": { "text": "again" } }),
        json!({ "text": "It says seven." }),
    ]));
    let app = App { server: connect(&[]).await };
    let run = Agent::runner(app).model(std::sync::Arc::clone(&model)).run(Answer::default());
    let report = run.await.unwrap();
    assert_eq!(report.state.text, "It says seven.");
    assert_eq!(report.outcome, AgentOutcome::Done);
    let requests = model.requests();
    let rounds = &requests.last().unwrap().rounds;
    let results: Vec<&str> = rounds.iter().map(|round| round.calls[0].1.text.as_str()).collect();
    let expected = [
        "seven",
        "no such order",
        "there is no tool \"pid\"",
        "10000",
        "the server closed the connection during the call",
        "again",
    ];
    assert_eq!(results.len(), expected.len(), "{results:?}");
    for (result, expected) in results.iter().zip(expected) {
        assert!(result.contains(expected), "{result}, not {expected}");
        assert!(result.len() < 3000, "{}", result.len());
    }
}

#[test]
fn the_example_asks_a_person_and_calls_its_server() {
    for (argument, expected) in [("approve", "arrives in 2 days."), ("deny", "is not for sale.")] {
        let output = Command::new(example("agent")).arg(argument).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.trim_end().ends_with(expected), "{text}");
        assert_eq!(text.contains("-> delivery"), argument == "approve", "{text}");
    }
}
