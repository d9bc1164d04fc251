//! Secrets are in no message.

use std::process::Command;

use cot_core::mcp::McpServer;
use serde_json::json;

use crate::support::{HttpServer, error, server, text};

const SECRET: &str = "hunter2-secret";

#[tokio::test]
async fn values_of_variables_reach_the_program_and_no_message() {
    let server = server(&[]).env("KEY", SECRET);
    assert!(!format!("{server:?}").contains(SECRET), "{server:?}");
    assert!(format!("{server:?}").contains("KEY"), "{server:?}");
    let tools = server.connect().await.unwrap();
    assert_eq!(text(&tools, "env", json!({ "name": "KEY" })).await, SECRET);
    let refused = error(&tools, "refuse", json!({})).await;
    let expected =
        "MCP server `test`: the server refused the call: refuse: the key [secret] is refused";
    assert_eq!(refused, expected);
    let died = error(&tools, "die", json!({})).await;
    assert!(died.ends_with("the disk is full (key [secret])"), "{died}");
    assert!(!format!("{tools:?}").contains(SECRET));
}

#[tokio::test]
async fn values_of_headers_reach_the_server_and_no_message() {
    let http = HttpServer::start(&[("token", SECRET)]).await;
    let right = http.server().bearer(SECRET);
    assert!(!format!("{right:?}").contains(SECRET), "{right:?}");
    right.connect().await.unwrap();
    let wrong = format!("{SECRET}-expired");
    let refused = http.server().bearer(&wrong).connect().await.unwrap_err();
    assert!(refused.to_string().contains("not authorized: [secret]"), "{refused}");
    assert!(!format!("{refused} {refused:?}").contains(SECRET), "{refused:?}");
}

#[tokio::test]
async fn secret_parts_of_urls_are_in_no_message() {
    let url = format!("http://ada:{SECRET}@127.0.0.1:9/mcp?key={SECRET}");
    let server = McpServer::http(&*url);
    assert!(!format!("{server:?}").contains(SECRET), "{server:?}");
    let refused = server.connect().await.unwrap_err();
    let start = "no connection to the MCP server `http://127.0.0.1:9/mcp`: ";
    assert!(refused.to_string().starts_with(start), "{refused}");
    assert!(!format!("{refused:?} {refused}").contains(SECRET), "{refused}");
}

#[tokio::test]
async fn invalid_settings_are_named_without_their_values() {
    let cases = [
        (
            McpServer::http("http://127.0.0.1:9").header("X-Key", format!("{SECRET}\n")),
            "the header `X-Key` is invalid",
        ),
        (
            McpServer::http("http://127.0.0.1:9").header("X Key", SECRET),
            "the header `X Key` is invalid",
        ),
        (
            McpServer::http("http://127.0.0.1:9").header("Accept", "*"),
            "the protocol sets the header `accept` itself",
        ),
        (McpServer::http("ftp://127.0.0.1:9"), "the URL is neither of HTTP nor of HTTPS"),
        (McpServer::http(format!("{SECRET}:x:y")), "the URL is neither of HTTP nor of HTTPS"),
        (McpServer::http(""), "the URL can't be read: relative URL without a base"),
    ];
    for (server, expected) in cases {
        let refused = server.name("test").connect().await.unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("the settings of the MCP server `test` are invalid: {expected}")
        );
    }
    let command = Command::new("true");
    assert!(format!("{:?}", McpServer::stdio(command)).contains("\"true\""));
}
