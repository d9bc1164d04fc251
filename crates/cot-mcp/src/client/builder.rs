//! Describes a server, and connects to it.

use std::{
    collections::HashMap, ffi::OsStr, fmt, path::Path, process::Command, sync::Mutex,
    time::Duration,
};

use cot_providers::internal::client_builder;
use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderName, HeaderValue},
    redirect::Policy,
};

use sealed::{AnyKind, Kind};

use super::{
    error::McpError,
    settings::Settings,
    target::{HttpTarget, Target},
    tools::McpTools,
};

/// An MCP server, before it is connected: where it is, and its limits.
///
/// `K` is the kind of the server: [`Stdio`], a program, or [`Http`], a server at a URL.
///
/// ```
/// # #![allow(dead_code, reason = "no server is started here")]
/// use std::{process::Command, time::Duration};
///
/// use cot_core::mcp::{McpError, McpServer, McpTools};
///
/// async fn connect(token: String) -> Result<(McpTools, McpTools), McpError> {
///     let mut command = Command::new("npx");
///     command.args(["-y", "@modelcontextprotocol/server-filesystem", "/srv/documents"]);
///     let files = McpServer::stdio(command)
///         .only(["read_text_file", "list_directory"])
///         .call_timeout(Duration::from_secs(10))
///         .connect()
///         .await?;
///     let issues = McpServer::http("https://mcp.example.com/mcp").bearer(token).connect().await?;
///     Ok((files, issues))
/// }
/// ```
///
/// `Debug` and errors show no value of a header or an environment variable, and neither the query nor the
/// user of a URL. Errors that repeat a text of the server have such values replaced by `[secret]` if they are
/// longer than four bytes.
#[must_use = "a server does nothing until it is connected"]
pub struct McpServer<K> {
    kind: K,
    settings: Settings,
}

/// A server that is a program, and speaks over its standard input and output.
pub struct Stdio {
    command: Command,
}

/// A server at a URL, with the transport *streamable HTTP*.
pub struct Http {
    url: String,
    headers: Vec<(String, String)>,
}

/// The kinds of servers: [`Stdio`] and [`Http`].
pub trait ServerKind: Kind {}

impl ServerKind for Stdio {}
impl ServerKind for Http {}

mod sealed {
    use super::{Http, Stdio};

    /// A server of any kind.
    pub enum AnyKind {
        Stdio(Stdio),
        Http(Http),
    }

    pub trait Kind {
        #[doc(hidden)]
        fn into_any(self) -> AnyKind;
    }

    impl Kind for Stdio {
        fn into_any(self) -> AnyKind {
            AnyKind::Stdio(self)
        }
    }

    impl Kind for Http {
        fn into_any(self) -> AnyKind {
            AnyKind::Http(self)
        }
    }
}

impl McpServer<Stdio> {
    /// Describes a server that is a program. It is started when the server is connected, and again when the
    /// connection was lost.
    ///
    /// Its standard input and output are the connection. The end of its standard error is part of the error
    /// if the connection is lost.
    pub fn stdio(command: Command) -> Self {
        let program = Path::new(command.get_program());
        let name = program.file_name().unwrap_or(program.as_os_str());
        let settings = Settings::new(name.to_string_lossy().into_owned());
        Self { kind: Stdio { command }, settings }
    }

    /// Sets an environment variable of the program, such as one with a key. No message contains the value.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.kind.command.env(name, value);
        self
    }
}

impl McpServer<Http> {
    /// Describes a server at a URL.
    ///
    /// Redirects are not followed: they would repeat the headers elsewhere.
    pub fn http(url: impl Into<String>) -> Self {
        let url = url.into();
        let settings = Settings::new(shown_url(&url));
        Self { kind: Http { url, headers: Vec::new() }, settings }
    }

    /// Adds a header to each request. No message contains the value.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.kind.headers.push((name.into(), value.into()));
        self
    }

    /// Adds the header `Authorization` with a bearer token. No message contains the token.
    pub fn bearer(self, token: impl AsRef<str>) -> Self {
        self.header(AUTHORIZATION.as_str(), format!("Bearer {}", token.as_ref()))
    }
}

impl<K: ServerKind> McpServer<K> {
    /// Sets the name of the server in messages. The default is that of the program, or the URL.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self
    }

    /// Sets the tools that are used: the server must have each of them, and the others are neither checked
    /// nor can they be called. The default is all tools.
    pub fn only(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.settings.only = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the time limit of connecting and listing the tools. The default is 30 seconds.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.settings.connect_timeout = limit;
        self
    }

    /// Sets the time limit of a call. The default is 60 seconds. A process can set a shorter one for its
    /// tools. The time to connect again after the connection was lost is not included.
    pub fn call_timeout(mut self, limit: Duration) -> Self {
        self.settings.call_timeout = limit;
        self
    }

    /// Sets how often a call tries to connect again after the connection was lost. The default is 3, and 1 the
    /// least.
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.settings.max_attempts = attempts.max(1);
        self
    }

    /// Sets the maximum length of a message of the server, in bytes. The default is 16 MiB. A program that
    /// sends a longer one is ended, and calls in flight fail.
    ///
    /// The limit protects the memory. A run has a smaller one for results of tools.
    pub fn max_message(mut self, bytes: usize) -> Self {
        self.settings.max_message = bytes;
        self
    }

    /// Connects to the server, lists its tools, and checks them.
    ///
    /// Must be called on a runtime of tokio with I/O and time.
    ///
    /// # Errors
    ///
    /// If a setting is invalid, the server can't be reached or does not answer in time, lacks a tool of
    /// [`only`](Self::only), or has a tool with a name or schema that can't be used.
    pub async fn connect(self) -> Result<McpTools, McpError> {
        let Self { kind, mut settings } = self;
        let target = match kind.into_any() {
            AnyKind::Stdio(kind) => kind.into_target(&mut settings),
            AnyKind::Http(kind) => kind.into_target(&mut settings)?,
        };
        McpTools::connect(target, settings).await
    }
}

impl Stdio {
    fn into_target(self, settings: &mut Settings) -> Target {
        for (_, value) in self.command.get_envs() {
            if let Some(value) = value {
                settings.secrets.add(&value.to_string_lossy());
            }
        }
        Target::Program(Mutex::new(self.command.into()))
    }
}

impl Http {
    fn into_target(self, settings: &mut Settings) -> Result<Target, McpError> {
        let server = settings.name.clone();
        let invalid = |message: String| McpError::Settings { server, message };
        let url = match Url::parse(&self.url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => url,
            Ok(_) => return Err(invalid("the URL is neither of HTTP nor of HTTPS".to_owned())),
            Err(error) => return Err(invalid(format!("the URL can't be read: {error}"))),
        };
        let secrets = [url.password(), url.query(), Some(url.username())];
        secrets.into_iter().flatten().for_each(|secret| settings.secrets.add(secret));
        let mut headers = HashMap::new();
        for (name, value) in self.headers {
            settings.secrets.add(&value);
            let header = HeaderName::try_from(name.as_str());
            let (Ok(header), Ok(mut value)) = (header, HeaderValue::try_from(value)) else {
                return Err(invalid(format!("the header `{}` is invalid", name.escape_debug())));
            };
            if RESERVED.contains(&header.as_str()) {
                return Err(invalid(format!("the protocol sets the header `{header}` itself")));
            }
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        let client = client_builder(&url).and_then(|builder| {
            let builder = builder.redirect(Policy::none());
            Ok(builder.connect_timeout(settings.connect_timeout).build()?)
        });
        let client = client.map_err(|error| invalid(error.to_string()))?;
        Ok(Target::Http(HttpTarget { client, url: self.url, headers }))
    }
}

/// The headers of the protocol.
const RESERVED: [&str; 5] =
    ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

/// Returns a URL without its user and query.
fn shown_url(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else {
        return "[invalid URL]".to_owned();
    };
    url.set_query(None);
    url.set_fragment(None);
    // Neither can fail where there is a user.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

impl fmt::Debug for McpServer<Stdio> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = &self.kind.command;
        let variables: Vec<&OsStr> = command.get_envs().map(|(name, _)| name).collect();
        f.debug_struct("McpServer")
            .field("program", &command.get_program())
            .field("arguments", &command.get_args().len())
            .field("env", &variables)
            .field("settings", &self.settings)
            .finish()
    }
}

impl fmt::Debug for McpServer<Http> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.kind.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("McpServer")
            .field("url", &shown_url(&self.kind.url))
            .field("headers", &names)
            .field("settings", &self.settings)
            .finish()
    }
}
