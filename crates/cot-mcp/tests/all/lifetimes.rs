//! When the program of a server ends.

use std::{process::Command, time::Duration};

use cot_core::{ToolSource, mcp::McpServer};
use serde_json::json;

use crate::support::{connect, error, exists, pid, program, server, soon, until};

const SOON: Duration = Duration::from_secs(60);

#[tokio::test]
async fn the_program_ends_with_the_last_clone() {
    let tools = connect(&[]).await;
    let process = pid(&tools).await;
    let clone = tools.clone();
    drop(tools);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(pid(&clone).await, process);
    drop(clone);
    until("the end of the program", SOON, || !exists(process)).await;
}

#[tokio::test]
async fn a_program_that_ignores_the_end_is_killed() {
    let tools = connect(&[("stubborn", "yes")]).await;
    let process = pid(&tools).await;
    drop(tools);
    until("the end of the program", SOON, || !exists(process)).await;
}

#[tokio::test]
async fn programs_that_the_program_has_started_end_too() {
    tokio::join!(
        child_ends("drop", ""),
        child_ends("disconnect", ""),
        child_ends("disconnect", "trap '' TERM; ")
    );
}

async fn child_ends(attempt: &str, trap: &str) {
    let mut command = Command::new("sh");
    // As launchers do: the server is a child of the program.
    command
        .arg("-c")
        .arg(format!("{trap}\"$0\" --stubborn yes; true"))
        .arg(program(&[]).get_program());
    let tools = McpServer::stdio(command).connect().await.unwrap();
    let process = pid(&tools).await;
    if attempt == "disconnect" {
        soon(SOON, tools.disconnect()).await;
    }
    drop(tools);
    until("the end of the program", SOON, || !exists(process)).await;
}

#[tokio::test]
async fn a_program_is_killed_with_its_runtime() {
    let process = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { pid(&connect(&[("stubborn", "yes")]).await).await })
    });
    let process = process.join().unwrap();
    let state = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Another runtime reaps it: until then it is at most a zombie.
    let ended = || !exists(process) || state().contains(") Z ");
    until("the end of the program", SOON, ended).await;
}

#[tokio::test]
async fn dropping_outside_of_a_runtime_is_no_panic() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let tools = std::thread::spawn(move || {
        let tools = runtime.block_on(connect(&[]));
        (tools, runtime)
    });
    let (tools, runtime) = tools.join().unwrap();
    let clone = tools.clone();
    std::thread::spawn(move || drop(clone)).join().unwrap();
    runtime.shutdown_background();
    std::thread::spawn(move || drop(tools)).join().unwrap();
}

#[tokio::test]
async fn disconnecting_waits_for_the_end_and_a_call_connects_again() {
    let tools = connect(&[]).await;
    let process = pid(&tools).await;
    soon(SOON, tools.disconnect()).await;
    assert!(!exists(process));
    let next = pid(&tools).await;
    assert_ne!(next, process);
    soon(SOON, tools.disconnect()).await;
    soon(SOON, tools.disconnect()).await;
}

#[tokio::test]
async fn a_failed_connection_leaves_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let options = [("log", log.to_str().unwrap()), ("list", "hang"), ("stubborn", "yes")];
    let limit = Duration::from_millis(500);
    server(&options).connect_timeout(limit).connect().await.unwrap_err();
    let line = std::fs::read_to_string(&log).unwrap();
    let line: serde_json::Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    let process = u32::try_from(line["pid"].as_u64().unwrap()).unwrap();
    until("the end of the program", SOON, || !exists(process)).await;
}

#[tokio::test]
async fn connecting_again_is_tried_a_few_times() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    // Works once. From then on it ends before the handshake.
    let script = format!(
        "echo started >> {0}; [ $(wc -l < {0}) -gt 1 ] && exit 3; exec {1}",
        starts.display(),
        program(&[]).get_program().display()
    );
    let mut command = Command::new("sh");
    command.arg("-c").arg(script);
    let tools = McpServer::stdio(command).name("flaky").max_attempts(2).connect().await.unwrap();
    error(&tools, "die", json!({})).await;
    let failed = tools.call("echo", json!({ "text": "hi" }), "key").await.unwrap_err().to_string();
    assert!(failed.starts_with("no connection to the MCP server `flaky`: "), "{failed}");
    assert_eq!(std::fs::read_to_string(&starts).unwrap().lines().count(), 3);
}
