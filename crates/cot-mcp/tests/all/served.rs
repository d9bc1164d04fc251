//! Processes as tools of a server.

use std::{
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::Router;
use cot_core::{
    FunctionError, ToolSource,
    mcp::{
        McpServer,
        serve::{ProcessTool, ServeError, ToolServer},
    },
    model::TraceContext,
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    net::TcpListener,
    task::JoinHandle,
};

use crate::support::{error, example, soon, until};

const SOON: Duration = Duration::from_secs(60);

/// The arguments of the tool.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    /// The kind of the order.
    kind: String,
    #[schemars(range(max = 100))]
    #[cot(check = even)]
    pieces: u32,
}

fn even(pieces: &u32) -> Result<(), Issues> {
    if pieces.is_multiple_of(2) { Ok(()) } else { Err(Issues::at("$", "must be even")) }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Job {
    kind: String,
    pieces: u32,
    goal: String,
    packed: bool,
}

/// What the functions share with the test.
#[derive(Default)]
struct Flags {
    is_dropped: AtomicBool,
    /// The trace context in which the first function ran.
    trace: Mutex<Option<TraceContext>>,
}

cot_process! {
    process Ship {
        state: Job,
        context: Flags,
        task look -> String { run: look, update: { goal = output } }
        task pack -> bool { run: pack, update: { packed = output } }
        task choose { next: { lost if state.kind == "lost", done } }
        task done { end }
        task lost { fail: "the parcel of ${state.pieces} is lost" }
        sequence steps [look, pack, choose]
    }
}

async fn look(_: &Job, cx: &Cx<'_, Ship>) -> Result<String, FunctionError> {
    *cx.app().trace.lock().unwrap() = TraceContext::current();
    Ok(cx.goal.to_owned())
}

async fn pack(job: &Job, cx: &Cx<'_, Ship>) -> Result<bool, FunctionError> {
    struct OnDrop<'a>(&'a Flags);
    impl Drop for OnDrop<'_> {
        fn drop(&mut self) {
            self.0.is_dropped.store(true, Ordering::SeqCst);
        }
    }
    match &*job.kind {
        "slow" => {
            let _guard = OnDrop(cx.app());
            tokio::time::sleep(Duration::from_secs(600)).await;
            Ok(true)
        }
        "broken" => Err(FunctionError::new("the box is broken")),
        "panic" => panic!("the floor is gone"),
        _ => Ok(true),
    }
}

fn tool(flags: &Arc<Flags>) -> ProcessTool<Ship, Order> {
    let runner = Runner::<Ship>::with_context(Arc::clone(flags));
    let start = |Order { kind, pieces }: Order| Job { kind, pieces, ..Job::default() };
    ProcessTool::new("ship", "Ships an order", runner, start)
        .goal(|order| format!("Ship {} pieces", order.pieces))
}

fn server(flags: &Arc<Flags>) -> ToolServer {
    ToolServer::new("shop", "1.2.3").instructions("Ship first.").tool(tool(flags))
}

/// A client that sends lines of JSON.
struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    served: JoinHandle<Result<(), ServeError>>,
    info: Value,
}

impl Client {
    async fn connect(flags: &Arc<Flags>) -> Self {
        Self::start(server(flags)).await
    }

    async fn start(server: ToolServer) -> Self {
        let (here, there) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(there);
        let served = tokio::spawn(server.serve(reader, writer));
        let (reader, writer) = tokio::io::split(here);
        let lines = BufReader::new(reader).lines();
        let mut client = Self { lines, writer, served, info: Value::Null };
        let info = client
            .request(
                "initialize",
                json!({
                    "protocolVersion": "2025-06-18",
                    "capabilities": {},
                    "clientInfo": { "name": "test", "version": "1" },
                }),
            )
            .await;
        client.info = info["result"].clone();
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let line = soon(SOON, self.lines.next_line()).await.unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })).await;
        self.receive().await
    }

    async fn call(&mut self, kind: &str, pieces: u32) -> Value {
        let arguments = json!({ "kind": kind, "pieces": pieces });
        let answer =
            self.request("tools/call", json!({ "name": "ship", "arguments": arguments })).await;
        answer["result"].clone()
    }
}

#[tokio::test]
async fn a_call_runs_the_process_with_its_arguments_and_goal() {
    let mut client = Client::connect(&Arc::default()).await;
    assert_eq!(client.info["serverInfo"], json!({ "name": "shop", "version": "1.2.3" }));
    assert_eq!(client.info["instructions"], "Ship first.");
    let tools = client.request("tools/list", json!({})).await;
    let listed = &tools["result"]["tools"][0];
    assert_eq!(
        (&listed["name"], &listed["description"]),
        (&json!("ship"), &json!("Ships an order"))
    );
    assert_eq!(
        listed["inputSchema"]["properties"]["kind"]["description"],
        "The kind of the order."
    );
    assert_eq!(listed["inputSchema"]["required"], json!(["kind", "pieces"]));
    let state = json!({ "kind": "books", "pieces": 4, "goal": "Ship 4 pieces", "packed": true });
    let result = client.call("books", 4).await;
    assert_eq!(result["structuredContent"], state);
    assert_eq!(result["isError"], false);
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, state);
}

#[tokio::test]
async fn a_run_belongs_to_the_trace_of_the_client() {
    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let flags: Arc<Flags> = Arc::default();
    let mut client = Client::connect(&flags).await;
    let arguments = json!({ "kind": "books", "pieces": 4 });
    for (parent, expected) in [(PARENT, Some(PARENT)), ("00-nonsense", None)] {
        let meta = json!({ "traceparent": parent, "tracestate": "a=1" });
        let params = json!({ "name": "ship", "arguments": arguments, "_meta": meta });
        client.request("tools/call", params).await;
        let trace = flags.trace.lock().unwrap().take();
        assert_eq!(trace.as_ref().map(TraceContext::to_string).as_deref(), expected);
        assert_eq!(trace.as_ref().and_then(TraceContext::trace_state), expected.map(|_| "a=1"));
    }
}

#[tokio::test]
async fn failures_are_errors_of_the_tool() {
    let mut client = Client::connect(&Arc::default()).await;
    let cases = [
        ("lost", 4, "the parcel of 4 is lost"),
        ("broken", 4, "task `pack`: the function failed: the box is broken"),
        ("panic", 4, "the floor is gone"),
        ("books", 102, "invalid arguments: $.pieces: "),
        ("books", 3, "invalid arguments: $.pieces: must be even"),
    ];
    for (kind, pieces, expected) in cases {
        let result = client.call(kind, pieces).await;
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(expected), "{text}");
    }
    let params = json!({ "name": "ship", "arguments": { "kindd": "books" } });
    let result = client.request("tools/call", params).await;
    let text = result["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`kind` is required") && text.contains("`pieces` is required"), "{text}");
    let unknown = client.request("tools/call", json!({ "name": "shipp" })).await;
    assert_eq!(unknown["error"]["message"], "no tool has this name; did you mean `ship`?");
}

#[tokio::test]
async fn progress_is_reported_to_clients_that_ask() {
    let mut client = Client::connect(&Arc::default()).await;
    let params = json!({
        "name": "ship",
        "arguments": { "kind": "books", "pieces": 2 },
        "_meta": { "progressToken": "mine" },
    });
    let mut message = client.request("tools/call", params).await;
    let mut progress = Vec::new();
    while message["method"] == "notifications/progress" {
        assert_eq!(message["params"]["progressToken"], "mine");
        let params = &message["params"];
        progress.push((params["progress"].as_f64().unwrap(), params["message"].clone()));
        message = client.receive().await;
    }
    // Gateways and ends take no time.
    let expected = [(1.0, "look"), (2.0, "pack")];
    let expected = expected.map(|(step, task)| (step, json!(task)));
    assert_eq!(progress, expected);
    assert_eq!(message["result"]["isError"], false);
}

#[tokio::test]
async fn a_cancelled_call_cancels_its_run() {
    let flags = Arc::default();
    let mut client = Client::connect(&flags).await;
    let params = json!({
        "name": "ship",
        "arguments": { "kind": "slow", "pieces": 2 },
        "_meta": { "progressToken": 1 },
    });
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    client.send(call).await;
    while client.receive().await["params"]["message"] != "pack" {}
    let cancel = json!({ "requestId": 7, "reason": "too slow" });
    client
        .send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }))
        .await;
    until("the cancellation", SOON, || flags.is_dropped.load(Ordering::SeqCst)).await;
    // The next message is no answer to the cancelled call.
    assert_eq!(client.request("ping", json!({})).await["id"], 1);
}

#[tokio::test]
async fn a_client_that_leaves_cancels_its_runs_and_ends_the_server() {
    let flags = Arc::default();
    let mut client = Client::connect(&flags).await;
    let params = json!({
        "name": "ship",
        "arguments": { "kind": "slow", "pieces": 2 },
        "_meta": { "progressToken": 1 },
    });
    client
        .send(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params }))
        .await;
    while client.receive().await["params"]["message"] != "pack" {}
    let Client { lines, writer, served, .. } = client;
    drop((lines, writer));
    soon(Duration::from_secs(20), served).await.unwrap().unwrap();
    until("the cancellation", SOON, || flags.is_dropped.load(Ordering::SeqCst)).await;
}

cot_process! {
    process Ask {
        state: Job,
        task ask -> Order { ask: "What is ordered?", update: { kind = output.kind }, next: done }
        task done { end }
    }
}

#[tokio::test]
async fn people_are_asked_where_they_can_answer() {
    let ask = |runner: Runner<Ask>| {
        let tool = ProcessTool::new("ask", "", runner, |_: Order| Job::default());
        ToolServer::new("desk", "1").tool(tool.result(|job| job.kind.clone()))
    };
    let nobody = ask(Runner::new());
    let someone =
        ask(Runner::new().person(|_| async { Order { kind: "books".to_owned(), pieces: 2 } }));
    for (server, expected) in [(nobody, "ask people, and nothing can answer"), (someone, "books")] {
        let mut client = Client::start(server).await;
        let params = json!({ "name": "ask", "arguments": { "kind": "", "pieces": 2 } });
        let answer = client.request("tools/call", params).await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn a_server_over_http_is_a_source_of_tools() {
    let flags = Arc::default();
    let service = server(&flags).http_service(&[]).unwrap();
    let router = Router::new().nest_service("/mcp", service);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, router).await });
    let tools = McpServer::http(&*url).name("shop").only(["ship"]).connect().await.unwrap();
    let shipped = tools.call("ship", json!({ "kind": "books", "pieces": 4 }), "key").await.unwrap();
    assert_eq!(shipped["goal"], "Ship 4 pieces");
    assert_eq!(
        error(&tools, "ship", json!({ "kind": "lost", "pieces": 2 })).await,
        "the parcel of 2 is lost"
    );
    let slow = tools.call("ship", json!({ "kind": "slow", "pieces": 2 }), "key");
    let given_up = tokio::time::timeout(Duration::from_millis(500), slow).await;
    assert!(given_up.is_err());
    until("the cancellation", SOON, || flags.is_dropped.load(Ordering::SeqCst)).await;
}

#[tokio::test]
async fn names_are_checked_before_a_client_is_served() {
    let serve = |server: ToolServer| server.serve(tokio::io::empty(), tokio::io::sink());
    let flags = Arc::default();
    let twice = serve(server(&flags).tool(tool(&flags))).await.unwrap_err();
    assert_eq!(twice.to_string(), "two tools have the name `ship`");
    let runner = Runner::<Ship>::with_context(Flags::default());
    let invalid = ProcessTool::new("ship it", "", runner, |_: Order| Job::default());
    let invalid = ToolServer::new("shop", "1").tool(invalid);
    let refused = invalid.clone().http_service(&[]).err().unwrap().to_string();
    assert!(refused.starts_with("`ship it` is no name of a tool"), "{refused}");
    let silent = serve(ToolServer::new("shop", "1")).await.unwrap_err();
    assert!(matches!(silent, ServeError::Handshake(_)), "{silent}");
}

#[tokio::test]
async fn a_program_serves_a_process_over_its_standard_input_and_output() {
    let tools = McpServer::stdio(Command::new(example("served"))).connect().await.unwrap();
    let answer =
        tools.call("answer", json!({ "number": 7, "question": "When?" }), "key").await.unwrap();
    assert_eq!(answer, "It arrives tomorrow.");
    let refused = error(&tools, "answer", json!({ "number": -1 })).await;
    assert!(refused.contains("$.number"), "{refused}");
    soon(SOON, tools.disconnect()).await;
}
