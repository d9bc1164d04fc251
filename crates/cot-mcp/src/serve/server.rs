//! A server with processes as its tools.

use std::{fmt, io, sync::Arc, time::Duration};

use cot_engine::Process;
use cot_model::TraceContext;
use cot_schema::{CotOutput, internal::closest_name};
use http::{HeaderValue, request::Parts};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    call::Call,
    error::ServeError,
    tool::{ProcessTool, ServedTool},
};

/// A server with processes as its tools. Clones share them.
#[derive(Clone)]
pub struct ToolServer {
    name: String,
    version: String,
    instructions: Option<String>,
    tools: Vec<Arc<dyn ServedTool>>,
}

/// The server as a service of the crates `tower` and `hyper`, such as for the router of `axum`.
pub type HttpService = StreamableHttpService<ToolServer, LocalSessionManager>;

/// The time after which a session without any message ends, and with it a run that reports nothing.
const SESSION_LIMIT: Duration = Duration::from_secs(3600);
/// Maximum length of the name of a tool, as inference servers have it.
const MAX_NAME_BYTES: usize = 64;

impl ToolServer {
    /// Creates a server without tools, with the name and version that it tells clients.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        let (name, version) = (name.into(), version.into());
        Self { name, version, instructions: None, tools: Vec::new() }
    }

    /// Sets the instructions that the server gives clients: how its tools belong together.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool<P: Process, A: CotOutput>(mut self, tool: ProcessTool<P, A>) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Serves a client over the standard input and output, until the client closes them.
    ///
    /// The program must write nothing else to its standard output.
    ///
    /// # Errors
    ///
    /// If a tool has an invalid name or the name of another one, or the client does not perform the handshake.
    pub async fn stdio(self) -> Result<(), ServeError> {
        self.serve(tokio::io::stdin(), tokio::io::stdout()).await
    }

    /// Serves a client over a reader and a writer, until the client closes its end.
    ///
    /// # Errors
    ///
    /// Those of [`stdio`](Self::stdio).
    pub async fn serve(
        self,
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<(), ServeError> {
        self.check()?;
        let service = ServiceExt::serve(self, (reader, writer)).await;
        let service = service.map_err(|error| ServeError::Handshake(error.to_string()))?;
        service.waiting().await.map_err(|error| ServeError::Stopped(error.to_string()))?;
        Ok(())
    }

    /// Returns the server as a service for streamable HTTP.
    ///
    /// It answers requests to the hosts in `hosts`, such as `api.example.com`; if there are none, only those to
    /// this machine by `localhost` or its address. It checks no credentials: that is up to a layer around it.
    /// A session ends after an hour without any message, and with it its runs.
    ///
    /// ```
    /// # #![allow(dead_code, reason = "no server is started here")]
    /// use axum::Router;
    /// use cot_core::mcp::serve::{ServeError, ToolServer};
    ///
    /// fn router(server: ToolServer) -> Result<Router, ServeError> {
    ///     Ok(Router::new().nest_service("/mcp", server.http_service(&["api.example.com"])?))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// If a tool has an invalid name or the name of another one.
    pub fn http_service(self, hosts: &[&str]) -> Result<HttpService, ServeError> {
        self.check()?;
        let mut config = StreamableHttpServerConfig::default();
        if !hosts.is_empty() {
            config.allowed_hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        }
        let server = move || Ok::<_, io::Error>(self.clone());
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION_LIMIT);
        Ok(StreamableHttpService::new(server, Arc::new(sessions), config))
    }

    fn check(&self) -> Result<(), ServeError> {
        for (number, tool) in self.tools.iter().enumerate() {
            let name = tool.name();
            if !is_name(name) {
                return Err(ServeError::InvalidName(name.to_owned()));
            }
            if self.tools[..number].iter().any(|other| other.name() == name) {
                return Err(ServeError::SameName(name.to_owned()));
            }
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Result<&Arc<dyn ServedTool>, ErrorData> {
        let found = self.tools.iter().find(|tool| tool.name() == name);
        found.ok_or_else(|| {
            let similar = closest_name(name, self.tools.iter().map(|tool| tool.name()));
            let similar = similar.map(|name| format!("; did you mean `{name}`?"));
            let message = format!("no tool has this name{}", similar.unwrap_or_default());
            ErrorData::invalid_params(message, None)
        })
    }
}

fn is_name(name: &str) -> bool {
    let is_character = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_character)
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut config = ServerConfig::new(capabilities);
        config.server_info = Implementation::new(self.name.clone(), self.version.clone());
        config.instructions.clone_from(&self.instructions);
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(|tool| tool.describe()).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        Some(self.find(name).ok()?.describe())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.find(&request.name)?;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let call = Call {
            caller: caller(&context),
            progress: context.meta.get_progress_token(),
            cancelled: context.ct,
            peer: context.peer,
        };
        Ok(tool.call(arguments, call).await.into())
    }
}

/// Returns the trace of the client: from the metadata of the request, or from its headers.
fn caller(context: &RequestContext<RoleServer>) -> Option<TraceContext> {
    let meta = &context.meta;
    let told = meta.get_traceparent().map(|parent| (parent, meta.get_tracestate()));
    if let Some((parent, state)) = told {
        return TraceContext::from_headers(parent, state).ok();
    }
    let headers = &context.extensions.get::<Parts>()?.headers;
    let text = |value: &'_ HeaderValue| value.to_str().ok().map(str::to_owned);
    let states: Vec<String> = headers.get_all("tracestate").iter().filter_map(text).collect();
    let parent = headers.get("traceparent").and_then(text)?;
    TraceContext::from_headers(&parent, states.iter().map(String::as_str)).ok()
}

impl fmt::Debug for ToolServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name()).collect();
        f.debug_struct("ToolServer").field("name", &self.name).field("tools", &names).finish()
    }
}
