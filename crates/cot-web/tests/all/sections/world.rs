//! A store with runs of a process, workers that drive them, and the page over it.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, header},
};
use cot_core::{
    Runner, Usage,
    model::{ModelReply, ScriptedModel, ToolCall},
    prelude::*,
    store::{MemoryStore, RunId, RunSummary, Status, Store},
};
use cot_web::{Access, Site};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower::ServiceExt;

use crate::sections::browser::posted;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    pub(crate) topic: String,
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) reviews: Vec<Review>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Draft {
    text: String,
}

/// What an editor thinks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Review {
    /// How good the text is.
    #[schemars(range(min = 1, max = 5))]
    pub(crate) stars: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
    lines: Vec<Line>,
    decision: Decision,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Line {
    number: u32,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Decision {
    /// Print it.
    Print { copies: u32 },
    /// Write it again.
    Again { why: String },
}

fn is_fair(review: &Review, _: &Desk) -> Result<(), Issues> {
    if review.stars == 1 && review.remark.is_none() {
        return Err(Issues::at("remark", "say why there is one star only"));
    }
    Ok(())
}

cot_process! {
    /// Drafts a letter, has it reviewed, and writes it.
    pub(crate) process Letters {
        state: Desk,

        task draft -> Draft {
            prompt: "Draft a letter about ${state.topic}.",
            update: { text = output.text },
            next: review,
        }

        task review -> Review {
            ask: "Is this letter good?\n\n${state.text}",
            check: is_fair,
            update: { reviews[] = output },
            next: write,
        }

        task write -> Draft {
            prompt: "Write the letter about ${state.topic}: ${state.text}",
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Letter {
    to: String,
}

async fn send(letter: &Letter) -> Result<String, std::io::Error> {
    Ok(format!("sent to {}", letter.to))
}

cot_process! {
    /// Sends a letter with a tool that people have to approve.
    pub(crate) process Post {
        state: Desk,
        tools: { send: send "Sends a letter" { approve: person } },

        task act -> Draft {
            prompt: "Send it.",
            tools: [send],
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

/// A model that answers with the end of the prompt, at a price.
pub(crate) fn letters() -> Runner<Letters> {
    let model = ScriptedModel::from_fn(|request| {
        let prompt = request.prompt().to_owned();
        let topic = if prompt.contains("cats") { "cats" } else { "dogs" };
        let what = if prompt.contains("Write the letter") { "letter" } else { "draft" };
        let usage = Usage::for_call(1_000, 50).cached(400, 0).cost(0.25);
        ModelReply::new(json!({ "text": format!("A {what} about {topic}.") }).to_string())
            .usage(usage)
    });
    Letters::runner().model(model)
}

pub(crate) fn post_office() -> Runner<Post> {
    let model = ScriptedModel::from_fn(|request| {
        if request.rounds.is_empty() {
            return ModelReply::calling(vec![ToolCall::new("send", json!({ "to": "Anna" }))]);
        }
        let text = format!("{:?}", request.rounds);
        ModelReply::new(json!({ "text": text }).to_string())
    });
    Post::runner().model(model)
}

/// A page as a browser receives it.
pub(crate) struct Received {
    pub(crate) status: StatusCode,
    pub(crate) location: String,
    pub(crate) html: String,
}

pub(crate) struct World {
    pub(crate) store: MemoryStore,
    app: Router,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::of(MemoryStore::default(), |site| site)
    }

    pub(crate) fn of(store: MemoryStore, with: impl FnOnce(Site) -> Site) -> Self {
        let site = Site::new(Arc::new(store.clone())).access(Access::open());
        Self { store, app: with(site).router() }
    }

    /// A world with a run that waits for a review.
    pub(crate) async fn with_question(run: &str) -> Self {
        let world = Self::new();
        world.submit(run, "cats").await;
        world.work().await;
        world
    }

    pub(crate) async fn submit(&self, run: &str, topic: &str) {
        let desk = Desk { topic: topic.to_owned(), ..Desk::default() };
        letters().store(self.store.clone()).run_id(run).submit(&desk).await.unwrap();
    }

    /// Lets a worker drive all runs until they wait or have ended.
    pub(crate) async fn work(&self) {
        let worker = letters().worker(self.store.clone()).serve(post_office());
        tokio::time::timeout(Duration::from_secs(20), worker.run_until_idle())
            .await
            .unwrap()
            .unwrap();
    }

    pub(crate) async fn summary(&self, run: &str) -> RunSummary {
        let run: RunId = run.parse().unwrap();
        self.store.run(&run).await.unwrap().unwrap()
    }

    pub(crate) async fn state(&self, run: &str) -> Desk {
        let summary = self.summary(run).await;
        let snapshot = cot_core::store::snapshot_at(&self.store, &summary.run, summary.steps);
        serde_json::from_str(snapshot.await.unwrap().state().get()).unwrap()
    }

    pub(crate) async fn is_asking(&self, run: &str) -> bool {
        matches!(self.summary(run).await.status, Status::Asking { .. })
    }

    pub(crate) async fn get(&self, path: &str) -> Received {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Loads a page, changes what is entered into its only form with this action, and posts it.
    pub(crate) async fn fill(
        &self,
        page: &str,
        action: &str,
        changes: &[(&str, &str)],
    ) -> Received {
        let Received { status, html, .. } = self.get(page).await;
        assert_eq!(status, StatusCode::OK, "{html}");
        self.post(action, &changed(&html, action, changes)).await
    }

    pub(crate) async fn post(&self, action: &str, fields: &[(String, String)]) -> Received {
        let body = form(fields);
        let request = Request::post(action)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body));
        self.send(request.unwrap()).await
    }

    /// Posts a form without fields of its own.
    pub(crate) async fn press(&self, action: &str) -> Received {
        let start = self.get("/start").await.html;
        let csrf = posted(&start).into_iter().find(|(name, _)| name == "csrf").unwrap();
        self.post(action, &[csrf]).await
    }

    async fn send(&self, request: Request<Body>) -> Received {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let location = response.headers().get(header::LOCATION);
        let location = location.map_or("", |location| location.to_str().unwrap()).to_owned();
        let body = to_bytes(response.into_body(), 10_000_000).await.unwrap();
        Received { status, location, html: String::from_utf8(body.to_vec()).unwrap() }
    }
}

/// Returns what the form with this action would post, with changes: each replaces a field, or adds it.
pub(crate) fn changed(html: &str, action: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let start = html
        .find(&format!(r#"method="post" action="{action}""#))
        .unwrap_or_else(|| panic!("no {action} in {html}"));
    let form = &html[start..];
    let form = &form[form.find('>').unwrap() + 1..form.find("</form>").unwrap()];
    let mut fields = posted(form);
    for (name, value) in changes {
        match fields.iter_mut().find(|(field, _)| field == name) {
            Some((_, old)) => *old = (*value).to_owned(),
            None => fields.push(((*name).to_owned(), (*value).to_owned())),
        }
    }
    fields
}

/// Encodes fields for a body or a query.
pub(crate) fn form(fields: &[(String, String)]) -> String {
    let encode = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect()
    };
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
