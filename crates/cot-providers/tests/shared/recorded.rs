//! Exchanges that were recorded with vendors, which are not in the repository: `COT_RECORDED` is the folder with
//! `exchanges.jsonl`. A line has the `body` that the server sent, and what it is `right` to read from it: the text
//! without thoughts, the calls and the tokens.

use std::{env, fs, path::Path};

use cot_model::{FinishReason, ModelReply, ModelRequest, ReplySchema, Tool};
use serde_json::{Value, json};

use crate::{
    UNREAD, recorded_model,
    server::{Answer, Server},
    sink::ask,
};

/// The exchanges that are refused on purpose, each with the reason.
const REFUSED: [(&str, &str); 4] = [
    ("chat-0635", "the server rejected the call that the model wrote"),
    ("chat-0638", "the server rejected the reply that the model wrote: it had to call a tool"),
    ("gemini-0871", "the model called a tool that was not declared: UNEXPECTED_TOOL_CALL"),
    ("responses-1249", "a background reply that is still queued"),
];

/// The exchanges in which `right` has less than the reply cost: the input of the first event of a stream, which the last
/// one corrects after tools of the server ran, or no tokens of a summary of the context and of an adviser.
const MORE_COUNTED: [&str; 9] = [
    "messages-0318",
    "messages-0322",
    "messages-0331",
    "messages-0332",
    "messages-0386",
    "messages-0408",
    "messages-0414",
    "messages-0421",
    "messages-0424",
];

/// The exchanges whose thoughts are in the total of the tokens only, so that more is counted than `right` has.
const THOUGHTS_IN_TOTAL: [&str; 1] = ["chat-1171"];

#[tokio::test]
async fn recorded_exchanges_are_read_right() {
    let Some(folder) = env::var_os("COT_RECORDED") else {
        eprintln!("skipped: COT_RECORDED is not set");
        return;
    };
    let lines = fs::read_to_string(Path::new(&folder).join("exchanges.jsonl")).unwrap();
    let (mut read, mut wrong) = (0, Vec::new());
    for line in lines.lines() {
        let exchange: Value = serde_json::from_str(line).unwrap();
        let protocol = exchange["protocol"].as_str().unwrap();
        let id = exchange["id"].as_str().unwrap();
        if recorded_model(protocol, "").is_none() || UNREAD.contains(&id) {
            continue;
        }
        match check(protocol, &exchange).await {
            Ok(()) => read += 1,
            Err(why) => wrong.push(format!("{id}: {why}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{read} are right, and {} are not:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(read > 150, "{read} exchanges");
}

async fn check(protocol: &str, exchange: &Value) -> Result<(), String> {
    let status = u16::try_from(exchange["status"].as_u64().unwrap()).unwrap();
    let answer = Answer::new(status, exchange["body"].as_str().unwrap());
    let answer = answer.with("content-type", exchange["content_type"].as_str().unwrap());
    let server = Server::start([answer]).await;
    let model = recorded_model(protocol, &server.base_url).unwrap();
    let result = ask(&*model, &request(), exchange["stream"] == true).await;
    let is_refused = REFUSED.iter().any(|(id, _)| exchange["id"] == *id);
    match (result, &exchange["right"]) {
        (Err(_), Value::Null) => Ok(()),
        (Err(_), _) if is_refused => Ok(()),
        (Err(error), _) => Err(error.to_string()),
        (Ok(reply), right) if is_refused || right.is_null() => {
            Err(format!("it is read: {reply:?}"))
        }
        (Ok(reply), right) => compare(&reply, right, exchange["id"].as_str().unwrap_or_default()),
    }
}

fn request() -> ModelRequest {
    let json = json!({ "type": "object" });
    let schema = ReplySchema { name: "any".to_owned(), json };
    ModelRequest::new("Go on.").with_tools([Tool::new("Does it.", schema.into())])
}

fn compare(reply: &ModelReply, right: &Value, id: &str) -> Result<(), String> {
    let arguments = |text: &str| serde_json::from_str(text).unwrap_or(Value::from(text));
    let called = |name: &str, text: &str| json!([name, arguments(text)]);
    let calls = reply.tool_calls.iter().map(|call| called(&call.name, &call.arguments));
    let said = |call: &Value, name: &str| call[name].as_str().unwrap_or_default().to_owned();
    let expected = right["calls"].as_array().unwrap().iter();
    let expected = expected.map(|call| called(&said(call, "name"), &said(call, "args")));
    let is_cut = matches!(right["finish"].as_str(), Some("length" | "MAX_TOKENS"));
    let finish = if is_cut { FinishReason::Length } else { FinishReason::Stop };
    let thoughts = if THOUGHTS_IN_TOTAL.contains(&id) { reply.usage.reasoning_tokens } else { 0 };
    let output = reply.usage.output_tokens - thoughts;
    let is_more = MORE_COUNTED.contains(&id);
    let tokens = |name: &str, read: u64| {
        right[name].as_u64().is_none_or(|right| right == read || is_more && right < read)
    };
    for (what, is_right) in [
        ("text", right["text"] == reply.text),
        ("calls", calls.collect::<Vec<_>>() == expected.collect::<Vec<_>>()),
        ("finish", reply.finish == finish),
        ("input tokens", tokens("input_tokens", reply.usage.input_tokens)),
        ("output tokens", tokens("output_tokens", output)),
    ] {
        if !is_right {
            return Err(format!("{what}: {reply:?}, not {right}"));
        }
    }
    Ok(())
}
