//! Error statuses: which are retried, and which capabilities are recorded.

use std::{sync::Arc, time::Duration};

use cot_model::{LanguageModel, ModelErrorKind, ModelRequest};
use serde_json::Value;

use crate::{
    ask, builder, model, request,
    server::{Answer, Asked, Server},
    status,
};

#[tokio::test]
async fn client_errors_are_not_tried_again_and_show_what_the_server_says() {
    for code in [400, 404, 413, 422] {
        let server = Server::start([Answer::failure(code, "that won't do")]).await;
        let error = ask(&model(&server.base_url)).await.unwrap_err();
        assert_eq!((status(&error), error.is_retryable()), (Some(code), false));
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("the server answered {code} ")), "{shown}");
        assert!(shown.ends_with(": that won't do (some_code)"), "{shown}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn passing_failures_are_tried_again() {
    for code in [408, 429, 500, 502, 503, 529] {
        let answers = [Answer::failure(code, "busy"), Answer::completion("fine")];
        let server = Server::start(answers).await;
        assert_eq!(ask(&model(&server.base_url)).await.unwrap().text, "fine");
        let asked = server.asked();
        assert_eq!(asked.len(), 2);
        assert_eq!(asked[0].body, asked[1].body);
        assert_eq!(asked[0].headers["authorization"], asked[1].headers["authorization"]);
    }
}

#[tokio::test]
async fn a_server_that_fails_for_ever_is_tried_as_often_as_told() {
    for (retries, tried) in [(0, ""), (1, " (tried 2 times)"), (3, " (tried 4 times)")] {
        let server = Server::start([Answer::new(500, "boom")]).await;
        let model = builder(&server.base_url).max_retries(retries).build().unwrap();
        let error = ask(&model).await.unwrap_err();
        let expected = format!("the server answered 500 Internal Server Error: boom{tried}");
        assert_eq!((error.to_string(), status(&error)), (expected, Some(500)));
        assert_eq!(server.asked().len(), retries as usize + 1);
    }
    let server = Server::start([Answer::new(500, "")]).await;
    ask(&model(&server.base_url)).await.unwrap_err();
    assert_eq!(server.asked().len(), 4, "three retries are the default");
}

#[tokio::test]
async fn retry_after_is_read_as_seconds_and_as_a_date() {
    for wait in ["0", "0.002", "Sun, 06 Nov 1994 08:49:37 GMT", "soon"] {
        let busy = Answer::failure(429, "slow down").with("retry-after", wait);
        let server = Server::start([busy, Answer::completion("fine")]).await;
        assert_eq!(ask(&model(&server.base_url)).await.unwrap().text, "fine");
        assert_eq!(server.asked().len(), 2);
    }
}

#[tokio::test]
async fn a_server_that_asks_for_too_long_a_wait_is_given_up_at_once() {
    let now = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (code, wait, seconds) in
        [(429, "86400", 86_400), (503, "61", 61), (429, "Sun, 06 Nov 1994 09:49:37 GMT", 3600)]
    {
        let busy = Answer::failure(code, "slow down").with("retry-after", wait).with("date", now);
        let server = Server::start([busy, Answer::completion("fine")]).await;
        let error = ask(&model(&server.base_url)).await.unwrap_err();
        let retry_after = Some(Duration::from_secs(seconds));
        assert_eq!(error.kind(), &ModelErrorKind::Status { code, retry_after });
        assert!(error.to_string().ends_with(&format!("it asks to wait {seconds} s")), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn the_longest_wait_is_an_option() {
    let busy = Answer::failure(429, "slow down").with("retry-after", "2");
    let server = Server::start([busy, Answer::completion("fine")]).await;
    let model = builder(&server.base_url).max_retry_after(Duration::from_secs(1));
    assert_eq!(status(&ask(&model.build().unwrap()).await.unwrap_err()), Some(429));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_server_without_the_response_format_gets_the_prompt_alone_from_then_on() {
    for code in [400, 422] {
        let refusal = Answer::failure(code, "'response_format' of type 'json_schema' is not known");
        let server = Server::start([refusal, Answer::completion("{}")]).await;
        let model = model(&server.base_url);
        ask(&model).await.unwrap();
        ask(&model.clone()).await.unwrap();
        let asked = server.asked();
        assert_eq!(formats(&server), [true, false, false]);
        assert_eq!(asked[0].body["messages"][0]["content"], "Add a field.");
        for asked in &asked[1..] {
            let prompt = &asked.body["messages"][0]["content"];
            assert_eq!(prompt, "Add a field.\n\nAnswer in JSON.");
        }
    }
}

#[tokio::test]
async fn a_server_that_dislikes_one_schema_gets_the_next() {
    for refusal in [
        "Invalid schema for response_format 'add_field'",
        "Unsupported JSON schema: `pattern` is not known",
    ] {
        let fine = Answer::completion("{}");
        let server = Server::start([Answer::failure(400, refusal), fine.clone(), fine]).await;
        let model = model(&server.base_url);
        ask(&model).await.unwrap();
        ask(&model).await.unwrap();
        assert_eq!(formats(&server), [true, false, true], "{refusal}");
    }
}

#[tokio::test]
async fn a_fall_back_that_fails_too_is_not_remembered() {
    let refusal = Answer::failure(400, "bad request near json_schema");
    let server = Server::start([refusal.clone(), refusal, Answer::completion("{}")]).await;
    let model = model(&server.base_url);
    let error = ask(&model).await.unwrap_err();
    assert_eq!(status(&error), Some(400));
    ask(&model).await.unwrap();
    assert_eq!(formats(&server), [true, false, true]);
}

const NEWER_LIMIT: &str = "Unsupported parameter: 'max_tokens' is not supported with this model. \
    Use 'max_completion_tokens' instead.";

#[tokio::test]
async fn a_server_that_wants_the_newer_limit_gets_it_from_then_on() {
    let answers = [Answer::failure(400, NEWER_LIMIT), Answer::completion("{}")];
    let server = Server::start(answers).await;
    let model = model(&server.base_url);
    for _ in 0..2 {
        model.reply(&limited()).await.unwrap();
    }
    assert_eq!(limits(&server), [(Some(99), None), (None, Some(99)), (None, Some(99))]);
    assert_eq!(formats(&server), [true, true, true]);
}

#[tokio::test]
async fn a_server_may_want_both_the_newer_limit_and_no_format() {
    let limit = Answer::failure(400, NEWER_LIMIT);
    let format = Answer::failure(400, "unknown type: json_schema");
    for refusals in [[limit.clone(), format.clone()], [format, limit]] {
        let answers = refusals.into_iter().chain([Answer::completion("{}")]);
        let server = Server::start(answers).await;
        let model = model(&server.base_url);
        for _ in 0..2 {
            model.reply(&limited()).await.unwrap();
        }
        assert_eq!(limits(&server)[2..], [(None, Some(99)), (None, Some(99))]);
        assert_eq!(formats(&server)[2..], [false, false]);
    }
}

#[tokio::test]
async fn the_newer_limit_is_tried_once_and_only_for_a_limit() {
    let server = Server::start([Answer::failure(400, NEWER_LIMIT)]).await;
    let model = model(&server.base_url);
    assert_eq!(status(&ask(&model).await.unwrap_err()), Some(400));
    assert_eq!(limits(&server), [(None, None)]);
    assert_eq!(status(&model.reply(&limited()).await.unwrap_err()), Some(400));
    assert_eq!(limits(&server)[1..], [(Some(99), None), (None, Some(99))]);
}

fn limited() -> ModelRequest {
    let mut request = request();
    Arc::make_mut(&mut request.settings).max_tokens = Some(99);
    request
}

/// The `max_tokens` and `max_completion_tokens` of each request.
fn limits(server: &Server) -> Vec<(Option<u64>, Option<u64>)> {
    let limit = |asked: &Asked, name: &str| asked.body.get(name).and_then(Value::as_u64);
    let both = |asked| (limit(asked, "max_tokens"), limit(asked, "max_completion_tokens"));
    server.asked().iter().map(both).collect()
}

/// Whether each request had a response format.
fn formats(server: &Server) -> Vec<bool> {
    server.asked().iter().map(|asked| asked.body.get("response_format").is_some()).collect()
}
