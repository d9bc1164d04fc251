//! What is checked when a server is connected.

use std::{process::Command, time::Duration};

use cot_core::{
    ToolSource,
    mcp::{McpError, McpServer},
};

use crate::support::{HttpServer, connect, error, program, server, soon, text};
use serde_json::json;

#[tokio::test]
async fn tools_have_names_descriptions_and_schemas() {
    let tools = connect(&[]).await;
    let echo = tools.tools().iter().find(|tool| tool.name() == "echo").unwrap();
    assert_eq!(echo.description, "Does echo");
    assert_eq!(echo.schema.json["properties"]["text"]["type"], "string");
    assert!(format!("{tools:?}").contains("echo"));
}

#[tokio::test]
async fn many_tools_are_listed_page_by_page() {
    for page in ["500", "7", "1"] {
        let tools = connect(&[("tools", "500"), ("page", page)]).await;
        let names: Vec<&str> = tools.tools().iter().map(|tool| tool.name()).collect();
        assert_eq!((names.len(), names[0], names[499]), (500, "tool-0", "tool-499"));
    }
}

#[tokio::test]
async fn only_named_tools_are_there() {
    let tools = server(&[]).only(["structured", "echo"]).connect().await.unwrap();
    let names: Vec<&str> = tools.tools().iter().map(|tool| tool.name()).collect();
    assert_eq!(names, ["structured", "echo"]);
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
    let refused = error(&tools, "ech", json!({})).await;
    assert_eq!(refused, "MCP server `test`: `ech` is none of its tools; did you mean `echo`?");
    let refused = error(&tools, "pid", json!({})).await;
    assert_eq!(refused, "MCP server `test`: `pid` is none of its tools");
}

#[tokio::test]
async fn missing_tools_are_named_with_suggestions() {
    let missing = server(&[]).only(["echo", "structurd", "xyz"]).connect().await.unwrap_err();
    let text = missing.to_string();
    let expected = "the MCP server `test` has no `structurd` (did you mean `structured`?), `xyz`; it has hang, die, ";
    assert!(text.starts_with(expected), "{text}");
    assert!(matches!(missing, McpError::Missing { missing, .. } if missing.len() == 2));
    let many = server(&[("tools", "500")]).only(["x"]).connect().await.unwrap_err().to_string();
    assert!(many.ends_with("tool-19 and 480 more"), "{many}");
}

#[tokio::test]
async fn wrong_schemas_are_refused_at_their_place() {
    let cases = [
        ("list", "`$.type` is \"array\", and not \"object\""),
        ("untyped", "`$.type` is missing, and must be \"object\""),
        ("wrong", "`$.properties.a.items.type` is invalid: "),
        ("outside", "`$` is invalid: "),
        ("large", "`$` has 100034 bytes, and 65536 are allowed"),
    ];
    for (lie, expected) in cases {
        let refused = server(&[("lie", lie)]).connect().await.unwrap_err().to_string();
        let expected = format!(
            "the schema of the tool `lie` of the MCP server `test` can't be used: {expected}"
        );
        assert!(refused.starts_with(&expected), "{refused}");
        assert!(refused.len() < 700, "{refused}");
        // A tool that is not used may lie.
        server(&[("lie", lie)]).only(["echo"]).connect().await.unwrap();
    }
}

#[tokio::test]
async fn wrong_lists_are_refused() {
    let cases = [
        (("lie", "name"), "the name `lie.to me` has characters that models can't use"),
        (("lie", "description"), "the description of `lie` has 20000 bytes, and 16384 are allowed"),
        (("lie", "long-name"), "the name `xxx"),
        (("lie", "twice"), "it has two tools with the name `echo`"),
        (("list", "text"), "the answer has no list `tools`"),
        (("list", "text-schema"), "`$.tools[0].inputSchema`, of the tool `odd`, is no object"),
        (("list", "repeat"), "it repeats a page for ever"),
    ];
    for (option, expected) in cases {
        let refused = server(&[option]).connect().await.unwrap_err().to_string();
        let start = "the list of tools of the MCP server `test` can't be used: ";
        assert!(refused.starts_with(&format!("{start}{expected}")), "{refused}");
        assert!(refused.len() < 500, "{refused}");
    }
}

#[tokio::test]
async fn a_server_without_the_old_handshake_is_connected() {
    let tools = connect(&[("initialize", "unknown")]).await;
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
    let http = HttpServer::start(&[("initialize", "unknown")]).await;
    let tools = http.server().connect().await.unwrap();
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
}

#[tokio::test]
async fn other_lines_on_the_standard_output_are_skipped() {
    let mut command = Command::new("sh");
    let program = program(&[]).get_program().to_owned();
    command.arg("-c").arg("echo 'Welcome!'; echo '{}'; yes >&2 & exec \"$0\"").arg(program);
    let tools = McpServer::stdio(command).connect().await.unwrap();
    assert_eq!(text(&tools, "echo", json!({ "text": "hi" })).await, "hi");
}

#[tokio::test]
async fn a_server_that_hangs_at_the_start_is_given_up() {
    for option in [("initialize", "hang"), ("list", "hang")] {
        let limit = Duration::from_millis(300);
        let hanging = server(&[option]).connect_timeout(limit).connect();
        let given_up = soon(Duration::from_secs(10), hanging).await.unwrap_err();
        let text = "the MCP server `test` did not list its tools within 300ms";
        assert_eq!(given_up.to_string(), text);
    }
}

#[tokio::test]
async fn a_server_that_fails_at_the_start_says_why() {
    let died = server(&[("initialize", "die")]).connect().await.unwrap_err().to_string();
    let expected = "no connection to the MCP server `test`: it closed the connection during the handshake; \
                    it wrote: panicked: the disk is full (key )";
    assert_eq!(died, expected);
    let refused = server(&[("initialize", "refuse")]).connect().await.unwrap_err().to_string();
    assert!(refused.contains("it answered: no, and your key is hunter2-secret"), "{refused}");
    let absent = McpServer::stdio(Command::new("/nowhere/server")).connect().await.unwrap_err();
    assert!(absent.to_string().starts_with("the MCP server `server` could not be started: "));
    for _ in 0..10 {
        let mut command = Command::new("sh");
        command.arg("-c").arg("echo 'no license' >&2");
        let silent = McpServer::stdio(command).connect().await.unwrap_err().to_string();
        assert!(
            silent.contains("closed the connection during the handshake; it wrote: no license"),
            "{silent}"
        );
    }
    let mut command = Command::new("echo");
    command.arg("Welcome!");
    let chatty = McpServer::stdio(command).connect().await.unwrap_err();
    assert!(chatty.to_string().contains("closed the connection"), "{chatty}");
}
