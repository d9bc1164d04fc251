//! A model behind HTTP that records its prompts.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::world::until;

/// A model with the chat completions API. Its answers depend only on the prompt.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    answer: fn(&str) -> Value,
    delay: Duration,
    prompts: Mutex<Vec<String>>,
    /// While set, prompts that contain this text wait.
    held: watch::Sender<Option<&'static str>>,
    refuses: AtomicBool,
}

impl Model {
    pub(crate) async fn start(answer: fn(&str) -> Value, delay: Duration) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (held, _) = watch::channel(None);
        let shared = Arc::new(Shared {
            answer,
            delay,
            prompts: Mutex::default(),
            held,
            refuses: AtomicBool::new(false),
        });
        let router = Router::new().route("/v1/chat/completions", post(complete));
        let service = router.with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, service).await });
        Self { url, shared }
    }

    /// Lets prompts that contain this text wait for their answer.
    pub(crate) fn hold(&self, text: &'static str) {
        self.shared.held.send_replace(Some(text));
    }

    /// Releases all waiting prompts.
    pub(crate) fn release(&self) {
        self.shared.held.send_replace(None);
    }

    /// Rejects all requests from now on.
    pub(crate) fn refuse(&self) {
        self.shared.refuses.store(true, Ordering::Relaxed);
    }

    /// Returns the prompts so far, in order.
    pub(crate) fn prompts(&self) -> Vec<String> {
        self.shared.prompts.lock().unwrap().clone()
    }

    /// Counts the prompts that contain a text.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.prompts().iter().filter(|prompt| prompt.contains(text)).count()
    }

    /// Waits until this many prompts contain a text.
    pub(crate) async fn until(&self, text: &str, count: usize) {
        let has_come = || async { (self.count(text) >= count).then_some(()) };
        until(&format!("{count} prompts with `{text}`"), has_come).await;
    }
}

async fn complete(
    State(shared): State<Arc<Shared>>,
    Json(question): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    if shared.refuses.load(Ordering::Relaxed) {
        return Err(StatusCode::BAD_REQUEST);
    }
    let messages = question["messages"].as_array().unwrap().iter();
    let texts: Vec<_> = messages.filter_map(|message| message["content"].as_str()).collect();
    let prompt = texts.join("\n");
    shared.prompts.lock().unwrap().push(prompt.clone());
    tokio::time::sleep(shared.delay).await;
    let is_free = |held: &Option<&str>| held.is_none_or(|text| !prompt.contains(text));
    shared.held.subscribe().wait_for(is_free).await.unwrap();
    let text = (shared.answer)(&prompt).to_string();
    Ok(Json(json!({
        "choices": [{ "message": { "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 2 },
    })))
}
