//! Calls of tools in the streams of each provider.

use cot_model::{LanguageModel, ModelError, ModelErrorKind, ModelReply, ToolResult, ToolRound};
use serde_json::{Value, json};

use crate::{
    builder,
    completions::{chunk, data},
    protocols::{event, response},
    server::{Answer, Server, in_pieces},
    sink::recording_sink,
    tools::{Called, TWO, calls, request},
};

/// The parts into which arguments are cut.
fn cut(arguments: &str) -> Vec<&str> {
    let middle = arguments.floor_char_boundary(arguments.len() / 2);
    vec![&arguments[..middle], "", &arguments[middle..]]
}

fn anthropic(called: &[Called<'_>]) -> String {
    let message = json!({ "id": "m", "type": "message", "role": "assistant", "content": [],
        "model": "tiny", "stop_reason": null, "usage": { "input_tokens": 11, "output_tokens": 1 } });
    let mut stream = event("message_start", json!({ "message": message }));
    let mut block = |index: usize, block: Value, deltas: Vec<Value>| {
        stream += &event("content_block_start", json!({ "index": index, "content_block": block }));
        for delta in deltas {
            stream += &event("content_block_delta", json!({ "index": index, "delta": delta }));
        }
        stream += &event("content_block_stop", json!({ "index": index }));
    };
    let thought = json!({ "type": "thinking_delta", "thinking": "Hm." });
    let signature = json!({ "type": "signature_delta", "signature": "s" });
    let thinking = json!({ "type": "thinking", "thinking": "", "signature": "" });
    block(0, thinking, vec![thought, signature]);
    let text = json!({ "type": "text_delta", "text": "I look." });
    block(1, json!({ "type": "text", "text": "" }), vec![text]);
    for (at, (id, name, arguments)) in called.iter().enumerate() {
        let parts = cut(arguments).into_iter();
        let deltas = parts.map(|part| json!({ "type": "input_json_delta", "partial_json": part }));
        let call = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
        block(at + 2, call, deltas.collect());
    }
    let delta = json!({ "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 7 } });
    stream + &event("message_delta", delta) + &event("message_stop", json!({}))
}

fn gemini(called: &[Called<'_>]) -> String {
    let content = |part: Value, reason: Option<&str>| {
        let content = json!({ "role": "model", "parts": [part] });
        let usage =
            json!({ "promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18 });
        let candidate = json!({ "content": content, "index": 0, "finishReason": reason });
        data(&json!({ "candidates": [candidate], "usageMetadata": usage }))
    };
    let calls = called.iter().map(|(id, name, arguments)| {
        let args: Value = serde_json::from_str(arguments).unwrap();
        let call = json!({ "functionCall": { "id": id, "name": name, "args": args }, "thoughtSignature": format!("s{id}") });
        content(call, None)
    });
    let text = content(json!({ "text": "I look." }), None);
    text + &calls.collect::<String>() + &content(json!({ "text": "" }), Some("STOP"))
}

fn chat(called: &[Called<'_>]) -> String {
    let piece = |call: Value| chunk(&json!({ "tool_calls": [call] }), None);
    let mut stream = chunk(&json!({ "reasoning_content": "Hm." }), None);
    stream += &chunk(&json!({ "content": "I look." }), None);
    for (at, (id, name, _)) in called.iter().enumerate() {
        let function = json!({ "name": name, "arguments": "" });
        stream +=
            &piece(json!({ "index": at, "id": id, "type": "function", "function": function }));
    }
    for part in 0..3 {
        for (at, (.., arguments)) in called.iter().enumerate() {
            stream +=
                &piece(json!({ "index": at, "function": { "arguments": cut(arguments)[part] } }));
        }
    }
    let usage = json!({ "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 });
    let counted = data(&json!({ "id": "c", "choices": [], "usage": usage }));
    stream + &chunk(&json!({}), Some("tool_calls")) + &counted + "data: [DONE]\n\n"
}

fn responses(called: &[Called<'_>]) -> String {
    let mut stream =
        event("response.created", json!({ "response": response("in_progress", json!([])) }));
    stream += &event(
        "response.output_text.delta",
        json!({ "output_index": 0, "content_index": 0, "delta": "I look." }),
    );
    for (at, (id, name, arguments)) in called.iter().enumerate() {
        let item = |arguments: &str| json!({ "type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": arguments });
        stream += &event(
            "response.output_item.added",
            json!({ "output_index": at + 1, "item": item("") }),
        );
        for part in cut(arguments) {
            let delta = json!({ "item_id": "fc", "output_index": at + 1, "delta": part });
            stream += &event("response.function_call_arguments.delta", delta);
        }
        stream += &event(
            "response.output_item.done",
            json!({ "output_index": at + 1, "item": item(arguments) }),
        );
    }
    stream + &event("response.completed", json!({ "response": response("completed", json!([])) }))
}

/// A provider's name of a model, and a stream with calls.
type Provider = (&'static str, fn(&[Called<'_>]) -> String);

const PROVIDERS: [Provider; 5] = [
    ("anthropic::tiny", anthropic),
    ("gemini::tiny", gemini),
    ("openai::tiny", chat),
    ("tiny", chat),
    ("openai_resp::tiny", responses),
];

async fn streamed(
    name: &str,
    stream: String,
    limit: usize,
) -> (Result<ModelReply, ModelError>, Vec<String>) {
    let answer = Answer::new(200, stream).with("content-type", "text/event-stream");
    let server = Server::start([answer]).await;
    let model =
        builder(name, &server.base_url).max_reply_bytes(limit).max_retries(0).build().unwrap();
    let (sink, record) = recording_sink();
    (model.stream(&request(), &sink).await, record.pieces())
}

#[tokio::test]
async fn calls_are_put_together_from_their_pieces() {
    for (name, stream) in PROVIDERS {
        let (reply, pieces) = streamed(name, stream(&TWO), 1 << 20).await;
        let reply = reply.unwrap();
        assert_eq!(calls(&reply), TWO, "{name}");
        assert_eq!((reply.text.as_str(), reply.usage.output_tokens), ("I look.", 7), "{name}");
        assert_eq!(pieces.last().map(String::as_str), Some("I look."), "{name}");
    }
}

#[tokio::test]
async fn streams_in_pieces_of_any_size_have_the_same_calls() {
    let called = [
        ("a", "weather", r#"{"city":"São Paulo 😀"}"#),
        ("b", "weather", r#"{"city":"}{\"\\"}"#),
        ("c", "now", "{}"),
    ];
    for (name, stream) in PROVIDERS {
        for bytes in [1, 2, 3, 7, 64, 1000] {
            let base_url = in_pieces(stream(&called).into_bytes(), bytes).await;
            let model = builder(name, &base_url).build().unwrap();
            let (sink, _) = recording_sink();
            let reply = model.stream(&request(), &sink).await.unwrap();
            assert_eq!(calls(&reply), called, "{name} in pieces of {bytes} bytes");
        }
    }
}

#[tokio::test]
async fn thoughts_and_signatures_are_sent_back() {
    for ((name, stream), place, expected) in [
        (
            PROVIDERS[0],
            "/messages/1/content/0",
            json!({ "type": "thinking", "thinking": "Hm.", "signature": "s" }),
        ),
        (PROVIDERS[1], "/contents/1/parts/1/thoughtSignature", json!("sa")),
        (PROVIDERS[1], "/contents/1/parts/2/thoughtSignature", json!("sb")),
        (PROVIDERS[2], "/messages/1/reasoning_content", json!("Hm.")),
    ] {
        let answer = Answer::new(200, stream(&TWO)).with("content-type", "text/event-stream");
        let server = Server::start([answer]).await;
        let model = builder(name, &server.base_url).build().unwrap();
        let (sink, _) = recording_sink();
        let reply = model.stream(&request(), &sink).await.unwrap();
        let calls = reply.tool_calls.into_iter().map(|call| (call, ToolResult::ok("1"))).collect();
        let next = request().with_rounds([ToolRound::new(reply.text, calls)]);
        model.stream(&next, &sink).await.unwrap();
        assert_eq!(server.asked()[1].body.pointer(place), Some(&expected), "{name}");
    }
}

#[tokio::test]
async fn odd_indices_of_a_server_take_no_memory() {
    let far =
        json!({ "index": u32::MAX, "id": "a", "function": { "name": "now", "arguments": "{}" } });
    let none = json!({ "id": "b", "function": { "name": "now", "arguments": "{}" } });
    let stream = [
        chunk(&json!({ "tool_calls": [far] }), None),
        chunk(&json!({ "tool_calls": [none] }), None),
        chunk(&json!({}), Some("tool_calls")),
        "data: [DONE]\n\n".to_owned(),
    ];
    for name in ["openai::tiny", "tiny"] {
        let (reply, _) = streamed(name, stream.concat(), 1 << 20).await;
        assert_eq!(calls(&reply.unwrap()), [("a", "now", "{}"), ("b", "now", "{}")], "{name}");
    }
}

#[tokio::test]
async fn arguments_that_are_not_json_are_for_the_caller_to_answer() {
    let odd = [("a", "weather", "{\"city\": ")];
    for (name, stream) in [PROVIDERS[0], PROVIDERS[2], PROVIDERS[3], PROVIDERS[4]] {
        let (reply, _) = streamed(name, stream(&odd), 1 << 20).await;
        assert_eq!(calls(&reply.unwrap()), odd, "{name}");
    }
}

#[tokio::test]
async fn calls_count_towards_the_limit() {
    let long = format!("{{\"city\":\"{}\"}}", "x".repeat(600));
    let called = [("a", "weather", long.as_str()), ("b", "weather", long.as_str())];
    for (name, stream) in PROVIDERS {
        let (reply, _) = streamed(name, stream(&called), 1000).await;
        assert_eq!(reply.unwrap_err().kind(), &ModelErrorKind::TooLarge, "{name}");
    }
}

#[tokio::test]
async fn many_calls_are_read() {
    let arguments: Vec<String> = (0..500).map(|n| format!("{{\"city\":\"{n}\"}}")).collect();
    let ids: Vec<String> = (0..500).map(|n| format!("call_{n}")).collect();
    let called: Vec<Called<'_>> = ids
        .iter()
        .zip(&arguments)
        .map(|(id, arguments)| (id.as_str(), "weather", arguments.as_str()))
        .collect();
    for (name, stream) in PROVIDERS {
        let (reply, _) = streamed(name, stream(&called), 1 << 20).await;
        assert_eq!(calls(&reply.unwrap()), called, "{name}");
    }
}
