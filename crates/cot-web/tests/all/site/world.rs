//! A site, and stores with runs.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{HeaderMap, Request, StatusCode, header},
};
use cot_core::store::{MemoryStore, Record, RunId, RunStarted, Status, Store};
use cot_web::{Access, Site};
use serde_json::{Value, json, value::RawValue};
use tower::ServiceExt;

/// A response, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The token of the forms of the page.
    pub(crate) fn csrf(&self) -> String {
        let (_, rest) = self.text.split_once(r#"name="csrf" value=""#).unwrap();
        rest.split('"').next().unwrap().to_owned()
    }
}

/// Sends a request.
pub(crate) async fn send(router: &Router, request: Request<Body>) -> Answer {
    let response = router.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    let text = String::from_utf8(bytes.into()).unwrap();
    Answer { status: parts.status, headers: parts.headers, text }
}

/// Gets a page with headers.
pub(crate) async fn get_with(router: &Router, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path).header("host", "localhost:4319");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(router, request.body(Body::empty()).unwrap()).await
}

pub(crate) async fn get(router: &Router, path: &str) -> Answer {
    get_with(router, path, &[]).await
}

/// Posts a form with headers.
pub(crate) async fn post(
    router: &Router,
    path: &str,
    form: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let media_type = "application/x-www-form-urlencoded";
    let mut request =
        Request::post(path).header("host", "localhost:4319").header("content-type", media_type);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(router, request.body(Body::from(form.to_owned())).unwrap()).await
}

/// Posts a password from an address, with the header `X-Forwarded-For`. Returns the status.
pub(crate) async fn sign_in(router: &Router, peer: &str, sender: &str, password: &str) -> u16 {
    let peer = SocketAddr::new(peer.parse().unwrap(), 1);
    let request = Request::post("/login").header("host", "localhost:4319");
    let request = request.header("x-forwarded-for", sender).extension(ConnectInfo(peer));
    let body = Body::from(format!("password={password}"));
    send(router, request.body(body).unwrap()).await.status.as_u16()
}

/// A site over a store that admits everybody.
pub(crate) fn open_site(store: Arc<dyn Store>) -> Router {
    Site::new(store).access(Access::open()).router()
}

pub(crate) fn id(name: &str) -> RunId {
    name.parse().unwrap()
}

/// Stores a run with a status, which its journal shows from the start.
pub(crate) async fn put(store: &dyn Store, name: &str, process: &str, seconds: u64, status: Value) {
    let at = UNIX_EPOCH + Duration::from_secs(1_795_000_000 + seconds);
    let lease = store.acquire(&id(name)).await.unwrap();
    let started: RunStarted = serde_json::from_str(
        &json!({
            "at": at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis() as u64,
            "process": process,
            "snapshot": {},
            "status": { "status": "running", "task": "t" },
        })
        .to_string(),
    )
    .unwrap();
    let status: Status = serde_json::from_value(status).unwrap();
    let snapshot = RawValue::from_string("{}".to_owned()).unwrap();
    let started = RunStarted { status, snapshot, ..started };
    store.append(&lease, vec![Record::Begun(started)]).await.unwrap();
}

pub(crate) fn asking(question: &str) -> Value {
    json!({
        "status": "asking", "task": "approve", "key": "approve#1@1", "question": question,
        "schema": { "type": "boolean" }, "since": 1_795_000_000_000_u64,
    })
}

pub(crate) fn ended(how: &str, why: &str) -> Value {
    json!({ "status": "ended", "task": "last", "how": how, "why": why })
}

/// A store with some runs of each kind.
pub(crate) async fn some_runs() -> Arc<MemoryStore> {
    let store = Arc::new(MemoryStore::default());
    for number in 0..120 {
        let name = format!("order-{number}");
        let status = json!({ "status": "running", "task": format!("task_{}", number % 7) });
        put(&*store, &name, "Orders", number, status).await;
    }
    put(&*store, "letter-1", "Letters", 5, asking("Send this to Ann?")).await;
    put(&*store, "letter-2", "Letters", 6, ended("fail", "the customer is gone")).await;
    put(&*store, "letter-3", "Letters", 7, ended("end", "")).await;
    store
}
