//! The tools of a connected server.

use std::{fmt, sync::Arc, time::Duration};

use cot_engine::{FunctionError, SourceTool, ToolSource};
use cot_model::{BoxFuture, TraceContext};
use cot_schema::internal::closest_name;
use rmcp::model::{CallToolRequestParams, JsonObject, RequestMetaObject};
use serde_json::Value;
use tokio::sync::Mutex;

use super::{
    connection::{Connection, FailedCall},
    error::McpError,
    outcome,
    selection::{check_unchanged, select},
    settings::Settings,
    target::Target,
};
use crate::clock::{wait, within};

/// The tools of a connected server: a source of tools for processes.
///
/// Clones share the connection. It is closed, and the program of a server over stdio is ended, when the last
/// clone and the last call are dropped. The program, and those that it has started, have two seconds to end by
/// themselves after their standard input was closed, and two more after the signal to terminate; then they are
/// killed.
///
/// A connection that is lost during a call is an error of that call, which may have had its effect. The next
/// call connects again; it fails if the server can't be reached, or has other tools than before.
///
/// The calls need the runtime of tokio on which the server was connected.
#[derive(Clone)]
pub struct McpTools {
    shared: Arc<Shared>,
}

struct Shared {
    target: Target,
    settings: Settings,
    tools: Vec<SourceTool>,
    connection: Mutex<Arc<Connection>>,
}

/// The pause before the second attempt to connect, which doubles with each attempt.
const PAUSE: Duration = Duration::from_millis(200);
/// The member of `_meta` with the key of the call: a repetition has the same one.
const CALL_KEY: &str = "cot-core/call-key";

impl McpTools {
    pub(crate) async fn connect(target: Target, settings: Settings) -> Result<Self, McpError> {
        let (connection, listed) = Connection::open(&target, &settings).await?;
        let tools = select(&listed, &settings)?;
        let connection = Mutex::new(Arc::new(connection));
        Ok(Self { shared: Arc::new(Shared { target, settings, tools, connection }) })
    }

    /// Closes the connection, and waits until the program of the server has ended. Calls in flight fail. A
    /// later call connects again.
    pub async fn disconnect(&self) {
        let connection = Arc::clone(&*self.shared.connection.lock().await);
        connection.close().await;
    }
}

impl Shared {
    /// Returns the connection, and connects again if it was lost.
    async fn connection(&self) -> Result<Arc<Connection>, McpError> {
        let mut connection = self.connection.lock().await;
        if !connection.is_lost() {
            return Ok(Arc::clone(&connection));
        }
        let mut pause = PAUSE;
        let mut attempt = 1;
        let (opened, listed) = loop {
            match Connection::open(&self.target, &self.settings).await {
                Ok(opened) => break opened,
                Err(error) if attempt >= self.settings.max_attempts => return Err(error),
                Err(_) => {}
            }
            wait(pause).await;
            pause = pause.saturating_mul(2);
            attempt += 1;
        };
        check_unchanged(&self.tools, &listed, &self.settings)?;
        *connection = Arc::new(opened);
        Ok(Arc::clone(&connection))
    }

    async fn call(&self, tool: &str, arguments: Value, key: &str) -> Result<Value, FunctionError> {
        let names = || self.tools.iter().map(SourceTool::name);
        if !names().any(|name| name == tool) {
            let similar = closest_name(tool, names());
            let similar = similar.map(|name| format!("; did you mean `{name}`?"));
            let similar = similar.unwrap_or_default();
            return Err(self.error(format!("`{tool}` is none of its tools{similar}")));
        }
        let Value::Object(arguments) = arguments else {
            return Err(self.error("the arguments are no object".to_owned()));
        };
        let connection = self.connection().await.map_err(FunctionError::not_done)?;
        let limit = self.settings.call_timeout;
        let call = connection.call(params(tool, arguments, key), &self.settings);
        match within(limit, call).await {
            Some(Ok(response)) => outcome::read(response),
            Some(Err(FailedCall::Refused(message))) => Err(self.error(message)),
            Some(Err(FailedCall::Interrupted(message))) => Err(self.unknown(&message)),
            None => Err(self.unknown(&format!("no result within {limit:?}"))),
        }
    }

    fn error(&self, message: String) -> FunctionError {
        FunctionError::not_done(format!("MCP server `{}`: {message}", self.settings.name))
    }

    fn unknown(&self, message: &str) -> FunctionError {
        FunctionError::unknown(format!("MCP server `{}`: {message}", self.settings.name))
    }
}

fn params(tool: &str, arguments: JsonObject, key: &str) -> CallToolRequestParams {
    let mut meta = RequestMetaObject::default();
    meta.insert(CALL_KEY.to_owned(), Value::from(key));
    if let Some(context) = TraceContext::current() {
        meta.set_traceparent(context.to_string());
        if let Some(state) = context.trace_state() {
            meta.set_tracestate(state);
        }
    }
    let mut params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    params.meta = Some(meta);
    params
}

impl ToolSource for McpTools {
    fn tools(&self) -> &[SourceTool] {
        &self.shared.tools
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(self.shared.call(tool, arguments, key))
    }
}

impl fmt::Debug for McpTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.shared.tools.iter().map(SourceTool::name).collect();
        f.debug_struct("McpTools")
            .field("server", &self.shared.settings.name)
            .field("tools", &names)
            .finish_non_exhaustive()
    }
}
