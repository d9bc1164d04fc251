//! The constructors of the pages on models, against servers that reply as the vendors do.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::Request};
use cot_book::models;
use cot_core::{LanguageModel, model::ModelRequest};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A request, as a server has received it.
#[derive(Debug, Clone)]
struct Received {
    path: String,
    key: String,
    body: Value,
}

/// A server that replies always with the same JSON.
struct Server {
    base_url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    async fn start(reply: Value) -> Self {
        let received = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&received);
        let handler = move |request: Request| {
            let (reply, record) = (reply.clone(), Arc::clone(&record));
            async move {
                let read = read(request).await;
                record.lock().unwrap().push(read);
                Json(reply)
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(axum::serve(listener, Router::new().fallback(handler)).into_future());
        Self { base_url, received }
    }

    fn first(&self) -> Received {
        self.received.lock().unwrap()[0].clone()
    }
}

async fn read(request: Request) -> Received {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let keys = ["authorization", "x-api-key"].iter().filter_map(|name| parts.headers.get(*name));
    let key = keys.map(|value| value.to_str().unwrap().to_owned()).collect();
    Received {
        path: parts.uri.path().to_owned(),
        key,
        body: serde_json::from_slice(&body).unwrap(),
    }
}

fn completion() -> Value {
    let message = json!({ "role": "assistant", "content": "Paris" });
    let usage = json!({ "prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11 });
    json!({
        "id": "chat-1", "object": "chat.completion", "created": 0, "model": "tiny", "usage": usage,
        "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
    })
}

async fn asked(model: impl LanguageModel) -> String {
    model
        .reply(&ModelRequest::new("What is the capital of France?"))
        .await
        .unwrap()
        .text
        .to_string()
}

#[tokio::test]
async fn a_server_with_chat_completions_replies() {
    let server = Server::start(completion()).await;
    let model = models::openai_compatible(&server.base_url, "tiny", Some("secret")).unwrap();
    assert_eq!(asked(model).await, "Paris");
    let received = server.first();
    assert_eq!((&*received.path, &*received.key), ("/v1/chat/completions", "Bearer secret"));
    assert_eq!(received.body["model"], "tiny");
}

#[tokio::test]
async fn llama_cpp_and_ollama_reply_without_a_key() {
    let server = Server::start(completion()).await;
    assert_eq!(asked(models::llama_cpp(&server.base_url).unwrap()).await, "Paris");
    assert_eq!(asked(models::ollama(&server.base_url, "qwen2.5:3b").unwrap()).await, "Paris");
    assert_eq!(server.first().key, "");
}

#[tokio::test]
async fn anthropic_replies() {
    let usage = json!({ "input_tokens": 9, "output_tokens": 2 });
    let server = Server::start(json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-tiny-1",
        "content": [{ "type": "text", "text": "Paris" }], "stop_reason": "end_turn", "usage": usage,
    }))
    .await;
    let model = models::anthropic("claude-tiny", "secret", Some(&server.base_url)).unwrap();
    assert_eq!(asked(model).await, "Paris");
    let received = server.first();
    assert_eq!((&*received.path, &*received.key), ("/v1/messages", "secret"));
}

#[tokio::test]
async fn gemini_replies() {
    let content = json!({ "role": "model", "parts": [{ "text": "Paris" }] });
    let usage = json!({ "promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11 });
    let server = Server::start(json!({
        "candidates": [{ "content": content, "finishReason": "STOP" }],
        "usageMetadata": usage, "modelVersion": "gemini-tiny",
    }))
    .await;
    let model = models::gemini("gemini-tiny", Some(("secret", &server.base_url))).unwrap();
    assert_eq!(asked(model).await, "Paris");
    assert!(server.first().path.ends_with("models/gemini-tiny:generateContent"));
}
