//! Servers for the tests.

use std::{
    fs,
    future::Future,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio as Pipe},
    time::{Duration, Instant},
};

use cot_core::{
    FunctionError, ToolSource,
    mcp::{Http, McpServer, McpTools, Stdio},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The program of the server that misbehaves.
pub(crate) fn program(options: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cot-mcp-test-server"));
    for (name, value) in options {
        command.arg(format!("--{name}")).arg(value);
    }
    command
}

/// The program of an example. Cargo builds them with all tests of the crate.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().and_then(Path::parent).unwrap().join("examples").join(name);
    assert!(program.exists(), "run `cargo test -p cot-mcp`, which builds the examples");
    program
}

/// The server that misbehaves, over stdio.
pub(crate) fn server(options: &[(&str, &str)]) -> McpServer<Stdio> {
    McpServer::stdio(program(options)).name("test")
}

pub(crate) async fn connect(options: &[(&str, &str)]) -> McpTools {
    server(options).connect().await.unwrap()
}

/// Calls a tool and expects a text.
pub(crate) async fn text(tools: &McpTools, tool: &str, arguments: Value) -> String {
    let result = tools.call(tool, arguments, "task#1+tool-1").await.unwrap();
    result.as_str().unwrap().to_owned()
}

/// Calls a tool and expects an error.
pub(crate) async fn error(tools: &McpTools, tool: &str, arguments: Value) -> String {
    let result: Result<Value, FunctionError> = tools.call(tool, arguments, "task#1+tool-1").await;
    result.unwrap_err().to_string()
}

/// The process of the server.
pub(crate) async fn pid(tools: &McpTools) -> u32 {
    text(tools, "pid", json!({})).await.parse().unwrap()
}

/// Whether a process exists, be it as a zombie.
pub(crate) fn exists(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

/// Waits until something is so. The limit is far longer than that takes on any machine: what hangs fails.
pub(crate) async fn until(what: &str, limit: Duration, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < limit, "{what}: not within {limit:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Awaits a future and expects it to take no longer than a limit.
pub(crate) async fn soon<F: Future>(limit: Duration, future: F) -> F::Output {
    tokio::time::timeout(limit, future).await.unwrap()
}

/// The server that misbehaves, over HTTP. It ends with this value.
pub(crate) struct HttpServer {
    options: Vec<(String, String)>,
    folder: TempDir,
    child: Child,
}

impl HttpServer {
    pub(crate) async fn start(options: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options: Vec<(String, String)> =
            options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let child = run(&options, folder.path());
        let server = Self { options, folder, child };
        let file = server.file();
        until("a port", Duration::from_secs(60), || file.exists()).await;
        server
    }

    /// Starts it again on the same port, after it has died.
    pub(crate) async fn restart(&mut self) {
        self.child.wait().unwrap();
        self.child = run(&self.options, self.folder.path());
        let url = self.url();
        let address = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        let is_up = || std::net::TcpStream::connect(&*address).is_ok();
        until("the server", Duration::from_secs(60), is_up).await;
    }

    pub(crate) fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("port")
    }

    pub(crate) fn url(&self) -> String {
        let port = fs::read_to_string(self.file()).unwrap();
        format!("http://127.0.0.1:{port}/mcp")
    }

    pub(crate) fn server(&self) -> McpServer<Http> {
        McpServer::http(self.url()).name("test")
    }
}

fn run(options: &[(String, String)], folder: &Path) -> Child {
    let mut command = program(&[("http", folder.join("port").to_str().unwrap())]);
    for (name, value) in options {
        command.arg(format!("--{name}")).arg(value);
    }
    command.stdout(Pipe::null()).stderr(Pipe::null()).spawn().unwrap()
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        // It may have died by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
