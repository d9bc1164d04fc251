//! Where a server is, and the connection to it.

use std::{
    collections::HashMap,
    error::Error,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    RoleClient,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
    service::{
        ClientInitializeError, ClientLifecycleMode, RunningService, serve_client_with_lifecycle,
    },
    transport::{
        StreamableHttpClientTransport, Transport, common::client_side_sse::ExponentialBackoff,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use tokio::process::Command;

use super::{child::ChildTransport, link::Link, watched::Watched};

/// A running client.
pub(crate) type Client = RunningService<RoleClient, ClientConfig>;

/// Where a server is.
pub(crate) enum Target {
    Program(Mutex<Command>),
    Http(HttpTarget),
}

/// A server at a URL.
pub(crate) struct HttpTarget {
    pub(crate) client: reqwest::Client,
    pub(crate) url: String,
    pub(crate) headers: HashMap<HeaderName, HeaderValue>,
}

/// Why a connection could not be opened.
pub(crate) enum OpenError {
    /// The program could not be started.
    Start(io::Error),
    /// The handshake failed.
    Handshake(Box<ClientInitializeError>),
}

impl Target {
    /// Opens a connection and performs the handshake.
    pub(crate) async fn open(
        &self,
        mode: ClientLifecycleMode,
        max_message: usize,
        link: &Arc<Link>,
    ) -> Result<Client, OpenError> {
        match self {
            Self::Program(command) => {
                let transport = {
                    let mut command = command.lock().unwrap_or_else(PoisonError::into_inner);
                    ChildTransport::spawn(&mut command, max_message, link)
                };
                shake_hands(transport.map_err(OpenError::Start)?, mode, link).await
            }
            Self::Http(target) => {
                link.all_written.cancel();
                let config = target.config(max_message);
                let client = target.client.clone();
                let transport = StreamableHttpClientTransport::with_client(client, config);
                shake_hands(transport, mode, link).await
            }
        }
    }
}

impl HttpTarget {
    fn config(&self, max_message: usize) -> StreamableHttpClientTransportConfig {
        let mut retries = ExponentialBackoff::default();
        retries.max_times = Some(MAX_STREAM_RETRIES);
        retries.base_duration = STREAM_RETRY_PAUSE;
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(self.headers.clone())
            .max_concurrent_requests(MAX_REQUESTS)
            .max_sse_event_size(max_message)
            .max_json_response_size(max_message);
        config.retry_config = Arc::new(retries);
        config
    }
}

/// How often a stream of events that broke off is resumed, and the first pause before that.
const MAX_STREAM_RETRIES: usize = 3;
const STREAM_RETRY_PAUSE: Duration = Duration::from_millis(200);
/// The number of requests over HTTP at the same time.
const MAX_REQUESTS: usize = 100;

async fn shake_hands<T: Transport<RoleClient> + 'static>(
    transport: T,
    mode: ClientLifecycleMode,
    link: &Arc<Link>,
) -> Result<Client, OpenError> {
    let version = env!("CARGO_PKG_VERSION");
    let client = Implementation::new("cot-mcp", version);
    let config = ClientConfig::new(ClientCapabilities::default(), client);
    let transport = Watched::new(transport, Arc::clone(link));
    let client = serve_client_with_lifecycle(config, transport, mode).await;
    client.map_err(|error| OpenError::Handshake(Box::new(error)))
}

/// The handshake of servers without `initialize`.
pub(crate) fn discovery() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

/// Returns the messages of an error and its causes, without repetitions.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        cause = error.source();
    }
    text
}

/// Returns whether an error says that a program no longer reads its standard input.
pub(crate) fn is_closed(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return true;
        }
        cause = error.source();
    }
    false
}
