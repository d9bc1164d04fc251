//! Calls of tools, and what can go wrong with them.

use std::{fs, time::Duration};

use cot_core::ToolSource;
use cot_core::model::TraceContext;
use serde_json::{Value, json};

use crate::support::{connect, error, pid, server, soon, text, until};

#[tokio::test]
async fn results_are_structured_content_or_text() {
    let tools = connect(&[]).await;
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
    let structured = tools.call("structured", json!({}), "key").await.unwrap();
    assert_eq!(structured, json!({ "price": 1 }));
    let meta: Value = serde_json::from_str(&text(&tools, "meta", json!({})).await).unwrap();
    assert_eq!(meta["cot-core/call-key"], "task#1+tool-1");
    assert_eq!(meta.get("traceparent"), None);
}

#[tokio::test]
async fn the_current_trace_context_is_in_the_metadata_of_calls() {
    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let tools = connect(&[]).await;
    let context = TraceContext::from_headers(PARENT, Some("a=1")).unwrap();
    let told = context.in_scope(text(&tools, "meta", json!({}))).await;
    let meta: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&meta["traceparent"], &meta["tracestate"]), (&json!(PARENT), &json!("a=1")));
}

#[tokio::test]
async fn images_and_resources_are_described() {
    let tools = connect(&[]).await;
    let expected = "\
A picture:
[image: image/png, 3000000 bytes]
[audio: audio/wav, 2 bytes]
[resource a at file:///a.txt: A text]
small
[resource file:///c.txt: text of 100000 bytes]
[resource file:///d: image/gif, 3 bytes]";
    assert_eq!(text(&tools, "image", json!({})).await, expected);
}

#[tokio::test]
async fn errors_of_tools_are_errors() {
    let tools = connect(&[]).await;
    assert_eq!(error(&tools, "fail", json!({})).await, "no such order");
    let refused = error(&tools, "refuse", json!({})).await;
    assert!(
        refused.contains("MCP server `test`: the server refused the call: refuse"),
        "{refused}"
    );
    let input = error(&tools, "input", json!({})).await;
    assert_eq!(input, "the server asks for input, which a tool call can't give");
    let list = error(&tools, "echo", json!([])).await;
    assert_eq!(list, "MCP server `test`: the arguments are no object");
}

#[tokio::test]
async fn ten_megabytes_are_read_and_more_than_the_limit_is_not() {
    let tools = connect(&[]).await;
    let huge = text(&tools, "huge", json!({ "bytes": 10_000_000 })).await;
    assert_eq!(huge.len(), 10_000_000);
    let too_large =
        soon(Duration::from_secs(60), error(&tools, "huge", json!({ "bytes": 17_000_000 })));
    let expected = "MCP server `test`: the server sent a message of more than 16777216 bytes";
    assert_eq!(too_large.await, expected);
    assert_eq!(text(&tools, "echo", json!({ "text": "again" })).await, "again");
}

#[tokio::test]
async fn arguments_of_a_megabyte_arrive() {
    let tools = connect(&[]).await;
    let long = "x".repeat(1_000_000);
    assert_eq!(text(&tools, "echo", json!({ "text": long })).await, long);
}

#[tokio::test]
async fn a_call_that_hangs_is_given_up_and_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let server = server(&[("log", log.to_str().unwrap())]);
    let tools = server.call_timeout(Duration::from_millis(200)).connect().await.unwrap();
    let given_up = soon(Duration::from_secs(60), error(&tools, "hang", json!({}))).await;
    assert_eq!(given_up, "MCP server `test`: no result within 200ms");
    let cancelled = || fs::read_to_string(&log).unwrap().contains("notifications/cancelled");
    until("the cancellation", Duration::from_secs(60), cancelled).await;
    assert_eq!(text(&tools, "echo", json!({ "text": "still there" })).await, "still there");
}

#[tokio::test]
async fn a_dropped_call_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let tools = connect(&[("log", log.to_str().unwrap())]).await;
    let process = pid(&tools).await;
    let has = |what: &str| fs::read_to_string(&log).unwrap().contains(what);
    let call = tools.call("hang", json!({}), "key");
    tokio::select! {
        _ = call => panic!("it hangs"),
        () = until("the call", Duration::from_secs(60), || has("\"hang\"")) => {}
    }
    let cancelled = || has("notifications/cancelled");
    until("the cancellation", Duration::from_secs(60), cancelled).await;
    assert_eq!(pid(&tools).await, process);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_calls_at_once_get_their_own_results() {
    let tools = connect(&[]).await;
    let calls: Vec<_> = (0..500)
        .map(|number: usize| {
            let tools = tools.clone();
            let text_of =
                async move { text(&tools, "echo", json!({ "text": number.to_string() })).await };
            tokio::spawn(text_of)
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap(), number.to_string());
    }
}

#[tokio::test]
async fn a_server_that_dies_fails_its_calls_and_the_next_one_connects_again() {
    let tools = connect(&[]).await;
    let before = pid(&tools).await;
    let (died, other) =
        tokio::join!(error(&tools, "hang", json!({})), error(&tools, "die", json!({})));
    let expected = "MCP server `test`: the server closed the connection during the call; \
                    it wrote: panicked: the disk is full (key )";
    assert_eq!((&*died, &*other), (expected, expected));
    let clone = tools.clone();
    let (first, second) = tokio::join!(pid(&tools), pid(&clone));
    assert_ne!(first, before);
    assert_eq!(first, second, "both calls share the new connection");
}

#[tokio::test]
async fn a_server_that_changed_its_tools_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join("changed");
    let tools = connect(&[("changed", changed.to_str().unwrap())]).await;
    fs::write(&changed, "").unwrap();
    error(&tools, "die", json!({})).await;
    let refused = error(&tools, "echo", json!({ "text": "hi" })).await;
    assert_eq!(refused, "the MCP server `test` has changed its tool `echo` since it was connected");
    fs::remove_file(&changed).unwrap();
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
}
