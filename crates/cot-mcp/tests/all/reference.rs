//! The reference server of the protocol, a program of Node.js. `tests/server.sh` installs it.

use std::{
    env,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cot_core::{
    ToolSource,
    mcp::{McpServer, McpTools},
};
use serde_json::json;

use crate::support::{error, exists, soon, text, until};

/// The script of the server, if the environment names one.
fn script() -> Option<String> {
    let script = env::var("COT_MCP_SERVER").ok().filter(|script| !script.is_empty());
    if script.is_none() {
        eprintln!("skipped: COT_MCP_SERVER does not name the reference server");
    }
    script
}

fn node(script: &str, mode: &str) -> Command {
    let mut command = Command::new("node");
    command.args([script, mode]);
    command
}

async fn use_tools(tools: &McpTools) {
    assert!(tools.tools().len() > 10, "{tools:?}");
    assert_eq!(text(tools, "echo", json!({ "message": "hi" })).await, "Echo: hi");
    let sum = text(tools, "get-sum", json!({ "a": 2, "b": 3 })).await;
    assert!(sum.contains('5'), "{sum}");
    let weather = tools.call("get-structured-content", json!({ "location": "Chicago" }), "key");
    assert!(weather.await.unwrap()["temperature"].is_number());
    let image = text(tools, "get-tiny-image", json!({})).await;
    assert!(image.contains("[image: image/png, "), "{image}");
    assert!(image.len() < 1000, "{image}");
    let links = text(tools, "get-resource-links", json!({ "count": 2 })).await;
    assert!(links.contains("[resource "), "{links}");
    let refused = error(tools, "get-sum", json!({ "a": "two" })).await;
    assert!(refused.contains("number"), "{refused}");
    let start = Instant::now();
    let long =
        tools.call("trigger-long-running-operation", json!({ "duration": 60, "steps": 60 }), "key");
    assert!(tokio::time::timeout(Duration::from_millis(500), long).await.is_err());
    assert_eq!(text(tools, "echo", json!({ "message": "again" })).await, "Echo: again");
    // The server answers before the operation would have ended.
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn the_reference_server_over_stdio() {
    let Some(script) = script() else { return };
    let server = McpServer::stdio(node(&script, "stdio")).env("ANY_KEY", "hunter2-secret");
    let tools = server.connect().await.unwrap();
    use_tools(&tools).await;
    let variables = text(&tools, "get-env", json!({})).await;
    assert!(variables.contains("hunter2-secret"));
    soon(Duration::from_secs(20), tools.disconnect()).await;
    assert_eq!(text(&tools, "echo", json!({ "message": "again" })).await, "Echo: again");
}

#[tokio::test]
async fn the_reference_server_has_no_tool_that_is_misspelled() {
    let Some(script) = script() else { return };
    let refused =
        McpServer::stdio(node(&script, "stdio")).name("everything").only(["ecko"]).connect();
    let refused = refused.await.unwrap_err().to_string();
    assert!(
        refused.starts_with(
            "the MCP server `everything` has no `ecko` (did you mean `echo`?); it has "
        ),
        "{refused}"
    );
}

/// Ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn the_reference_server_over_http() {
    let Some(script) = script() else { return };
    // The server has a fixed port: a free one is chosen for it.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = node(&script, "streamableHttp");
    command.env("PORT", free.port().to_string());
    let running = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    assert!(exists(running.0.id()));
    let is_up = || std::net::TcpStream::connect(free).is_ok();
    until("the server", Duration::from_secs(60), is_up).await;
    let tools = McpServer::http(format!("http://{free}/mcp")).connect().await.unwrap();
    use_tools(&tools).await;
}
