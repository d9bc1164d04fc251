//! Failures of the server: which are retried, and which are fallbacks, refusals and errors.

use std::time::Duration;

use cot_model::{FinishReason, LanguageModel, ModelErrorKind, ModelRequest};
use serde_json::{Value, json};

use crate::{
    KEY, builder, event, model, plain, request,
    server::{Answer, Server},
    start,
};

/// An error of the server with this type.
fn failure(status: u16, kind: &str, message: &str) -> Answer {
    let error = json!({ "type": kind, "message": message });
    Answer::json(status, &json!({ "type": "error", "error": error, "request_id": "req_1" }))
}

/// A rejected request.
pub(crate) fn refused(message: &str) -> Answer {
    failure(400, "invalid_request_error", message)
}

#[tokio::test]
async fn failures_that_pass_are_retried() {
    for (status, kind) in [
        (429, "rate_limit_error"),
        (500, "api_error"),
        (504, "timeout_error"),
        (529, "overloaded_error"),
    ] {
        let server = Server::start([failure(status, kind, "no"), plain("Paris")]).await;
        let reply = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap();
        assert_eq!((&*reply.text, server.asked().len()), ("Paris", 2), "{status}");
    }
}

#[tokio::test]
async fn failures_that_stay_are_not() {
    let status = |code| ModelErrorKind::Status { code, retry_after: None };
    for (code, kind, expected) in [
        (400, "invalid_request_error", status(400)),
        (401, "authentication_error", ModelErrorKind::Account),
        (402, "billing_error", ModelErrorKind::Account),
        (403, "permission_error", ModelErrorKind::Account),
        (404, "not_found_error", status(404)),
        (413, "request_too_large", status(413)),
    ] {
        let server = Server::start([failure(code, kind, "Not so.")]).await;
        let error = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap_err();
        assert_eq!((error.kind(), server.asked().len()), (&expected, 1), "{code}");
        assert!(error.to_string().ends_with(": Not so."), "{error}");
    }
    let server =
        Server::start([refused("Your credit balance is too low to access the API.")]).await;
    let error = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap_err();
    assert_eq!((error.kind(), server.asked().len()), (&ModelErrorKind::Account, 1));
}

#[tokio::test]
async fn the_wait_that_the_server_asks_for_is_kept() {
    let limited = failure(429, "rate_limit_error", "no").with("retry-after", "7");
    let server = Server::start([limited]).await;
    let model = builder(&server.base_url).max_retry_after(Duration::from_secs(1)).build().unwrap();
    let error = model.reply(&ModelRequest::new("a")).await.unwrap_err();
    let expected = ModelErrorKind::Status { code: 429, retry_after: Some(Duration::from_secs(7)) };
    assert_eq!((error.kind(), server.asked().len()), (&expected, 1));
}

#[tokio::test]
async fn a_prompt_that_a_filter_blocks_is_refused() {
    let server = Server::start([refused("Output blocked by content filtering policy")]).await;
    let reply = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap();
    assert_eq!(reply.finish, FinishReason::Refusal);
}

#[tokio::test]
async fn errors_in_streams_of_a_wrong_account_are_not_retried() {
    let error = json!({ "type": "permission_error", "message": "Not so." });
    let body = start() + &event("error", json!({ "error": error }));
    let server =
        Server::start([Answer::new(200, body).with("content-type", "text/event-stream")]).await;
    let (sink, _) = crate::sink::recording_sink();
    let error = model(&server.base_url).stream(&ModelRequest::new("a"), &sink).await.unwrap_err();
    assert_eq!((error.kind(), server.asked().len()), (&ModelErrorKind::Account, 1));
}

#[tokio::test]
async fn no_error_shows_the_key() {
    for answer in
        [failure(401, "authentication_error", KEY), Answer::new(200, KEY), Answer::new(200, "[]")]
    {
        let server = Server::start([answer]).await;
        let error = model(&server.base_url).reply(&ModelRequest::new("a")).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
    }
    let builder = builder("http://user:pa55@127.0.0.1:1/v1?token=t0ken");
    let shown = format!("{builder:?} {:?}", model("http://127.0.0.1:1/v1?token=t0ken"));
    assert!([KEY, "pa55", "t0ken"].iter().all(|secret| !shown.contains(secret)), "{shown}");
    assert!(shown.contains("http://127.0.0.1:1/v1/messages"), "{shown}");
}

/// Sends a request twice to a server that rejects its first form, and returns the three bodies.
async fn bodies(message: &str, request: &ModelRequest) -> Vec<Value> {
    let server = Server::start([refused(message), plain("{}")]).await;
    let model = model(&server.base_url);
    for _ in 0..2 {
        model.reply(request).await.unwrap();
    }
    server.asked().into_iter().map(|asked| asked.body).collect()
}

#[tokio::test]
async fn a_server_without_formats_gets_the_explanation() {
    for message in [
        "output_config.format: Extra inputs are not permitted",
        "This model does not support output format: json_schema",
    ] {
        let bodies = bodies(message, &request()).await;
        assert!(bodies[0].get("output_config").is_some());
        let prompt = &bodies[1]["messages"][0]["content"][0]["text"];
        assert_eq!(prompt, "Add a field.\n\nAnswer in JSON.", "{message}");
        assert_eq!(bodies[1].get("output_config"), None);
    }
}

#[tokio::test]
async fn a_schema_that_the_server_refuses_is_explained_in_this_request_alone() {
    for message in [
        "output_config.format.schema: Too many optional members",
        "The compiled grammar is too large",
        "Schema is too complex for compilation",
    ] {
        let server = Server::start([refused(message), plain("{}")]).await;
        let model = model(&server.base_url);
        for _ in 0..2 {
            model.reply(&request()).await.unwrap();
        }
        let has_format =
            server.asked().into_iter().map(|asked| asked.body.get("output_config").is_some());
        assert_eq!(has_format.collect::<Vec<_>>(), [true, false, true], "{message}");
    }
}
