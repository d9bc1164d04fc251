//! Servers over streamable HTTP.

use std::{fs, time::Duration};

use cot_core::ToolSource;
use serde_json::json;

use crate::support::{HttpServer, error, pid, soon, text, until};

const SOON: Duration = Duration::from_secs(15);

#[tokio::test]
async fn calls_are_answered_as_json_and_as_a_stream() {
    for option in ["json", "stream", "session"] {
        let http = HttpServer::start(&[(option, "yes")]).await;
        let tools = http.server().only(["echo", "structured", "fail"]).connect().await.unwrap();
        assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
        let structured = tools.call("structured", json!({}), "key").await.unwrap();
        assert_eq!(structured, json!({ "price": 1 }));
        assert_eq!(error(&tools, "fail", json!({})).await, "no such order");
    }
}

#[tokio::test]
async fn a_call_that_hangs_is_given_up_and_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let http = HttpServer::start(&[("log", log.to_str().unwrap())]).await;
    let tools = http.server().call_timeout(Duration::from_millis(200)).connect().await.unwrap();
    let given_up = soon(SOON, error(&tools, "hang", json!({}))).await;
    assert_eq!(given_up, "MCP server `test`: no result within 200ms");
    let cancelled = || fs::read_to_string(&log).unwrap().contains("notifications/cancelled");
    until("the cancellation", SOON, cancelled).await;
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
}

#[tokio::test]
async fn ten_megabytes_are_read_and_more_than_the_limit_is_not() {
    for option in ["json", "stream"] {
        let http = HttpServer::start(&[(option, "yes")]).await;
        let tools = http.server().call_timeout(SOON).connect().await.unwrap();
        assert_eq!(text(&tools, "huge", json!({ "bytes": 10_000_000 })).await.len(), 10_000_000);
        let refused = soon(SOON, error(&tools, "huge", json!({ "bytes": 17_000_000 }))).await;
        assert!(refused.contains("16777216"), "{option}: {refused}");
        assert_eq!(text(&tools, "echo", json!({ "text": "again" })).await, "again");
    }
}

#[tokio::test]
async fn a_server_that_dies_fails_its_call_and_the_next_one_connects_again() {
    for (option, tool) in [("json", "die"), ("session", "die"), ("json", "die-stream")] {
        let mut http = HttpServer::start(&[(option, "yes")]).await;
        let tools = http.server().call_timeout(SOON).connect().await.unwrap();
        let before = pid(&tools).await;
        let died = soon(SOON, error(&tools, tool, json!({}))).await;
        assert!(died.starts_with("MCP server `test`: "), "{tool}: {died}");
        assert!(!died.contains("no result within"), "{tool}: {died}");
        http.restart().await;
        assert_ne!(soon(SOON, pid(&tools)).await, before, "{option}, {tool}");
    }
}

#[tokio::test]
async fn a_server_that_is_gone_is_an_error_of_each_call() {
    let mut http = HttpServer::start(&[]).await;
    let tools = http.server().max_attempts(2).connect().await.unwrap();
    http.stop();
    for _ in 0..2 {
        let gone = soon(SOON, error(&tools, "echo", json!({ "text": "hi" }))).await;
        assert!(gone.contains("could not be reached") || gone.contains("no connection"), "{gone}");
    }
    http.restart().await;
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
}

#[tokio::test]
async fn disconnecting_ends_the_session_and_a_call_connects_again() {
    let http = HttpServer::start(&[("session", "yes")]).await;
    let tools = http.server().connect().await.unwrap();
    soon(SOON, tools.disconnect()).await;
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let http = HttpServer::start(&[("redirect", "yes")]).await;
    let refused = http.server().header("X-Key", "hunter2-secret").connect().await.unwrap_err();
    assert!(refused.to_string().contains("307"), "{refused}");
}
