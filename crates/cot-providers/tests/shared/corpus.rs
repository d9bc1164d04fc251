//! What real servers of chat completions send, in files with the expected reading beside it.
//!
//! A file of `tests/corpus` has `answers`, which the server sends in turn (the last one repeatedly): `status`,
//! `headers`, and a body: `json`, `raw`, or `events` of a stream, in which a text is sent as it is; `[DONE]` follows
//! unless `done` is false. `mode` says whether the reply is requested in one piece, as a stream, or in `both` ways,
//! where a stream has each `json` as an event. `expect` has the reply (`text`, `finish`, `calls`) or the kind of the
//! `error` with what it `says`; `usage` is `unknown` if not all tokens are known; `requests` counts the requests.

use std::{fs, path::Path, sync::Arc, time::Duration};

use cot_model::{
    FinishReason, ModelError, ModelErrorKind, ModelReply, ModelRequest, ReplySchema, Tool, Usage,
};
use serde_json::{Value, json};

use crate::{
    corpus_model,
    server::{Answer, Server},
    sink::ask,
};

#[tokio::test]
async fn each_answer_of_a_real_server_is_read_as_expected() {
    let mut files = 0;
    for (name, case) in cases() {
        let mode = case["mode"].as_str().unwrap();
        for streams in [false, true] {
            if mode == "both" || (mode == "stream") == streams {
                check(&format!("{name}, streamed: {streams}"), &case, streams).await;
            }
        }
        files += 1;
    }
    assert!(files > 60, "{files} files");
}

/// The files of the corpus, with their names.
fn cases() -> Vec<(String, Value)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = |folder: &Path| {
        let mut paths: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let files = entries(&corpus).into_iter().flat_map(|folder| entries(&folder));
    let read = |path: &Path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    files.map(|path| (path.display().to_string(), read(&path))).collect()
}

async fn check(name: &str, case: &Value, streams: bool) {
    let answers = case["answers"].as_array().unwrap();
    let server = Server::start(answers.iter().map(|answer| to_answer(answer, streams))).await;
    let model = corpus_model(&server.base_url, Duration::from_secs(1));
    let result = ask(&*model, &request(case), streams).await;
    let expected = &case["expect"];
    match &result {
        Ok(reply) => check_reply(name, reply, expected),
        Err(error) => check_error(name, error, expected),
    }
    let usage = match &result {
        Ok(reply) => reply.usage,
        Err(error) => error.usage().unwrap(),
    };
    check_usage(name, usage, &expected["usage"]);
    assert_eq!(server.asked().len(), expected["requests"].as_u64().unwrap() as usize, "{name}");
}

fn request(case: &Value) -> ModelRequest {
    let mut request = ModelRequest::new("Where is it?").append_format("\nAnswer in JSON.");
    let schema = |name: &str, json: &Value| {
        Arc::new(ReplySchema { name: name.to_owned(), json: json.clone() })
    };
    if case["schema"].is_object() {
        request.schema = Some(schema("place", &case["schema"]));
    }
    let any = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    let tools = ["weather", "now"].map(|name| Tool::new("Tells it.", schema(name, &any)));
    request.with_tools(tools.into_iter().filter(|_| case["tools"] == true))
}

fn to_answer(answer: &Value, streams: bool) -> Answer {
    let status = answer["status"].as_u64().map_or(200, |status| u16::try_from(status).unwrap());
    let typed = match (&answer["events"], &answer["json"]) {
        (Value::Array(events), _) => stream(events, answer["done"] != false),
        (_, Value::Null) => Answer::new(status, answer["raw"].as_str().unwrap())
            .with("content-type", "application/json"),
        (_, body) if streams && status == 200 => stream(&[as_chunk(body)], true),
        (_, body) => Answer::json(status, body),
    };
    let headers = answer["headers"].as_object().into_iter().flatten();
    headers.fold(typed, |answer, (name, value)| {
        answer.with(name.clone().leak(), value.as_str().unwrap())
    })
}

fn stream(events: &[Value], is_done: bool) -> Answer {
    let lines = events.iter().map(|event| match event {
        Value::String(line) => line.clone(),
        event => format!("data: {event}\n\n"),
    });
    let done = if is_done { "data: [DONE]\n\n" } else { "" };
    Answer::new(200, lines.collect::<String>() + done).with("content-type", "text/event-stream")
}

/// Returns a chat completion as the only event of a stream.
fn as_chunk(body: &Value) -> Value {
    let mut chunk = body.clone();
    for choice in chunk["choices"].as_array_mut().into_iter().flatten() {
        choice["delta"] = choice["message"].take();
    }
    chunk
}

fn check_reply(name: &str, reply: &ModelReply, expected: &Value) {
    assert_eq!(expected["text"], reply.text, "{name}: {reply:?}");
    let finish = match expected["finish"].as_str() {
        Some("length") => FinishReason::Length,
        Some("refusal") => FinishReason::Refusal,
        _ => FinishReason::Stop,
    };
    assert_eq!(reply.finish, finish, "{name}");
    let calls = reply.tool_calls.iter();
    let calls: Vec<_> = calls.map(|call| json!([call.name, arguments(&call.arguments)])).collect();
    let expected = expected["calls"].as_array().cloned().unwrap_or_default();
    assert_eq!(calls, expected, "{name}");
}

/// Returns arguments as JSON, or as a text if they are none.
fn arguments(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn check_error(name: &str, error: &ModelError, expected: &Value) {
    let (kind, retry_after) = match error.kind() {
        ModelErrorKind::Status { code, retry_after } => (code.to_string(), *retry_after),
        kind => (serde_json::to_value(kind).unwrap().as_str().unwrap().to_owned(), None),
    };
    assert_eq!(expected["error"], kind, "{name}: {error}");
    let said = expected["says"].as_str().unwrap_or_default();
    assert!(error.to_string().contains(said), "{name}: {error}");
    let wait = expected["retry_after_ms"].as_u64().map(Duration::from_millis);
    assert_eq!(retry_after, wait, "{name}");
}

fn check_usage(name: &str, usage: Usage, expected: &Value) {
    match expected {
        Value::Null => {}
        Value::Array(tokens) => {
            let read = Usage::for_call(tokens[0].as_u64().unwrap(), tokens[1].as_u64().unwrap());
            assert_eq!(Usage { reasoning_tokens: 0, ..usage }, read, "{name}");
        }
        _ => assert_eq!((usage.calls, usage.uncounted_calls), (1, 1), "{name}"),
    }
}
