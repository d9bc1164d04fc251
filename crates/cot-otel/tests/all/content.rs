//! Content is recorded if it is asked for, bounded, and without secrets.

use cot_core::{
    Secret,
    model::{ModelReply, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    decoded::{SpanExt as _, Spans},
    model::TestModel,
    processes::{Greeter, Note, Survey, Trip},
    receiver::Backend,
};

fn survey_model() -> TestModel {
    TestModel::new(|request| {
        let wants_price = request.prompt().contains("Report.") && request.rounds.is_empty();
        Ok(if wants_price {
            let call = ToolCall::new("price", json!({ "name": "kettle" })).with_id("call-1");
            ModelReply::calling([call])
        } else {
            json!({ "text": "sesame" }).into()
        })
    })
}

async fn survey(content: bool) -> Spans {
    let backend = Backend::grpc().await;
    let telemetry = backend.telemetry();
    let telemetry = if content { telemetry.with_content() } else { telemetry };
    let runner = Survey::runner().model(survey_model()).instrument(telemetry);
    runner.run(Trip::default()).await.unwrap();
    backend.spans().await
}

fn json_of(text: &Value) -> Value {
    serde_json::from_str(text.as_str().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn content_has_the_form_of_the_conventions() {
    let spans = survey(true).await;
    let report = spans.only("task report");
    let calls: Vec<_> = spans.children(report).collect();
    let [first, tool, second] = calls[..] else { panic!("{}", spans.tree()) };
    let arguments = json!({ "name": "kettle" });
    assert_eq!(
        json_of(&first.get("gen_ai.output.messages")),
        json!([{
            "role": "assistant",
            "parts": [
                { "type": "tool_call", "id": "call-1", "name": "price", "arguments": arguments },
            ],
            "finish_reason": "tool_call",
        }])
    );
    assert_eq!(json_of(&tool.get("gen_ai.tool.call.arguments")), arguments);
    assert_eq!(tool.get("gen_ai.tool.call.result"), "3990");
    let input = json_of(&second.get("gen_ai.input.messages"));
    assert_eq!(input[0]["role"], "user");
    assert!(input[0]["parts"].to_string().contains("Report."));
    assert_eq!(input[1]["role"], "assistant");
    let response = json!({ "type": "tool_call_response", "id": "call-1", "response": 3990 });
    assert_eq!(input[2], json!({ "role": "tool", "parts": [response] }));
    let output = json_of(&second.get("gen_ai.output.messages"));
    assert_eq!(output[0]["parts"][0], json!({ "type": "text", "content": r#"{"text":"sesame"}"# }));
    assert_eq!(output[0]["finish_reason"], "stop");
    let system = json_of(&second.get("gen_ai.system_instructions"));
    assert_eq!(system[0]["type"], "text");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_is_no_content_by_default() {
    let spans = survey(false).await;
    let text = format!("{:?}", spans.0);
    // The number as in JSON: random ids and times have its digits now and then.
    for content in ["sesame", "kettle", ":3990", "Report."] {
        assert!(!text.contains(content), "{content}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn content_is_bounded() {
    let backend = Backend::grpc().await;
    let long = "ä".repeat(100_000);
    let model = TestModel::replies([json!({ "text": long })]);
    let runner = Greeter::runner().model(model);
    let runner = runner.instrument(backend.telemetry().content_limit(101));
    runner.run(Note::default()).await.unwrap();
    let spans = backend.spans().await;
    let call = spans.only("chat gpt-test");
    let output = json_of(&call.get("gen_ai.output.messages"));
    let text = output[0]["parts"][0]["content"].as_str().unwrap();
    assert!(text.ends_with("ä…") && text.len() <= 104, "{text}");
    assert!(call.get("gen_ai.input.messages").as_str().unwrap().len() < 400);
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Vault {
    pin: Secret<String>,
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Asked {
    reason: String,
}

cot_process! {
    process Guarded {
        state: Vault,
        goal: "Keep ${json(state.pin)} safe.",
        tools: { open: open "Opens the vault" },

        task think -> Note {
            prompt: "The state is ${json(state)}.",
            tools: [open],
            update: { text = output.text },
            next: check,
        }

        task check -> String { run: check, update: { text = output }, next: done }
        task done { end }
    }
}

async fn open(asked: &Asked, vault: &Vault) -> Result<Secret<String>, String> {
    let _ = asked;
    Ok(vault.pin.clone())
}

async fn check(vault: &Vault) -> Result<String, String> {
    Err(format!("wrong: {:?} {}", vault.pin, json!(vault)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_never_recorded() {
    let backend = Backend::grpc().await;
    let model = TestModel::replies([
        ModelReply::calling([ToolCall::new("open", json!({ "reason": "to look" }))]),
        json!({ "text": "Hello" }).into(),
    ]);
    let runner = Guarded::runner().model(model);
    let runner = runner.instrument(backend.telemetry().with_content());
    let vault = Vault { pin: Secret::new("hunter2".to_owned()), text: String::new() };
    let _ = runner.run(vault).await;
    let spans = backend.spans().await;
    let text = format!("{:?}{:?}", spans.0, backend.metrics().await.0);
    assert!(text.contains("The state is") && text.contains("to look"), "{text}");
    assert!(text.contains("wrong:"));
    assert!(!text.contains("hunter2"), "{text}");
}
