//! A connection to a server.

use std::{sync::Arc, time::Duration};

use cot_schema::internal::truncate;
use rmcp::{
    model::{CallToolRequestParams, CallToolResponse, ErrorCode},
    service::{ClientInitializeError, ClientLifecycleMode, Peer, RoleClient, ServiceError},
};

use super::{
    error::McpError,
    link::Link,
    listing::{Listed, list},
    settings::Settings,
    target::{Client, OpenError, Target, chain, discovery, is_closed},
};
use crate::clock::within;

/// A connection, which is closed when it is dropped.
pub(crate) struct Connection {
    client: Client,
    link: Arc<Link>,
}

/// A call without a result.
pub(crate) enum FailedCall {
    /// The server refused the call and has done nothing.
    Refused(String),
    /// It is not known whether the call had its effect.
    Interrupted(String),
}

/// Maximum length of a text from outside in a message.
const MAX_TEXT: usize = 1000;
/// The time to wait for what a program that has ended wrote at last.
const LAST_WORDS: Duration = Duration::from_millis(200);

impl Connection {
    /// Connects to a server and lists its tools.
    pub(crate) async fn open(
        target: &Target,
        settings: &Settings,
    ) -> Result<(Self, Vec<Listed>), McpError> {
        let limit = settings.connect_timeout;
        let opened = within(limit, Self::open_and_list(target, settings)).await;
        opened.ok_or_else(|| McpError::Timeout { server: settings.name.clone(), limit })?
    }

    async fn open_and_list(
        target: &Target,
        settings: &Settings,
    ) -> Result<(Self, Vec<Listed>), McpError> {
        let connection =
            match Self::shake_hands(ClientLifecycleMode::Initialize, target, settings).await {
                Ok(connection) => connection,
                // A server that knows no `initialize` answers it with an error.
                Err((error, true)) => {
                    let other = Self::shake_hands(discovery(), target, settings).await;
                    other.map_err(|_| error)?
                }
                Err((error, false)) => return Err(error),
            };
        match list(connection.peer()).await {
            Ok(tools) => Ok((connection, tools)),
            Err(message) => {
                let message = connection.explain(settings, message).await;
                Err(McpError::List { server: settings.name.clone(), message })
            }
        }
    }

    /// Returns, beside an error, whether the server answered with an error of its own.
    async fn shake_hands(
        mode: ClientLifecycleMode,
        target: &Target,
        settings: &Settings,
    ) -> Result<Self, (McpError, bool)> {
        let link = Arc::new(Link::default());
        let server = settings.name.clone();
        match target.open(mode, settings.max_message, &link).await {
            Ok(client) => Ok(Self { client, link }),
            Err(OpenError::Start(error)) => {
                let message = settings.secrets.hide(error.to_string());
                Err((McpError::Start { server, message }, false))
            }
            Err(OpenError::Handshake(error)) => {
                let is_answer = matches!(
                    *error,
                    ClientInitializeError::JsonRpcError(_)
                        | ClientInitializeError::NoCompatibleProtocolVersion { .. }
                );
                let message = explain(&link, settings, handshake_message(&error, &link)).await;
                Err((McpError::Connect { server, message }, is_answer))
            }
        }
    }

    fn peer(&self) -> &Peer<RoleClient> {
        self.client.peer()
    }

    /// Returns whether calls need another connection.
    pub(crate) fn is_lost(&self) -> bool {
        self.link.is_lost() || self.peer().is_transport_closed()
    }

    /// Calls a tool. Dropping the future tells the server that the call is cancelled. A failure of the call may come
    /// after its effect, unless the server refused the call.
    pub(crate) async fn call(
        &self,
        params: CallToolRequestParams,
        settings: &Settings,
    ) -> Result<CallToolResponse, FailedCall> {
        let answer = tokio::select! {
            // An answer that was received before the connection was lost counts.
            biased;
            answer = self.peer().call_tool_once(params) => answer,
            () = self.link.lost.cancelled() => Err(ServiceError::TransportClosed),
        };
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) => {
                let message = self.failure(&error, settings);
                let message = self.explain(settings, message).await;
                Err(match error {
                    ServiceError::McpError(error) if is_refusal(error.code) => {
                        FailedCall::Refused(message)
                    }
                    _ => FailedCall::Interrupted(message),
                })
            }
        }
    }

    fn failure(&self, error: &ServiceError, settings: &Settings) -> String {
        match error {
            ServiceError::McpError(error) => {
                format!("the server refused the call: {}", error.message)
            }
            ServiceError::TransportSend(error) if is_closed(error.error.as_ref()) => {
                self.link.lost.cancel();
                CLOSED.to_owned()
            }
            ServiceError::TransportSend(error) => {
                self.link.fail();
                format!("the server could not be reached: {}", chain(error.error.as_ref()))
            }
            ServiceError::TransportClosed if self.link.lost.is_cancelled() => CLOSED.to_owned(),
            // Over HTTP, each answer has a stream of its own.
            ServiceError::TransportClosed => {
                self.link.fail();
                let max = settings.max_message;
                format!("the answer broke off, or is longer than {max} bytes")
            }
            ServiceError::UnexpectedResponse => {
                "the server answered with something that is no result of a tool".to_owned()
            }
            error => chain(error),
        }
    }

    async fn explain(&self, settings: &Settings, message: String) -> String {
        explain(&self.link, settings, message).await
    }

    /// Closes the connection and waits until the program of the server has ended.
    pub(crate) async fn close(&self) {
        self.client.cancellation_token().cancel();
        self.link.ended.cancelled().await;
    }
}

const CLOSED: &str = "the server closed the connection during the call";

fn handshake_message(error: &ClientInitializeError, link: &Link) -> String {
    const CLOSED: &str = "it closed the connection during the handshake";
    match error {
        ClientInitializeError::ConnectionClosed(_) => CLOSED.to_owned(),
        ClientInitializeError::TransportError { error, .. } if is_closed(error.error.as_ref()) => {
            link.lost.cancel();
            CLOSED.to_owned()
        }
        ClientInitializeError::JsonRpcError(error) => format!("it answered: {}", error.message),
        ClientInitializeError::TransportError { error, .. } => chain(error.error.as_ref()),
        ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::ExpectedInitResponse(_) => {
            "its answer to the handshake is none of the protocol".to_owned()
        }
        error => chain(error),
    }
}

/// Adds to a message what else is known of a connection that was lost, and removes the secrets.
async fn explain(link: &Link, settings: &Settings, message: String) -> String {
    let mut message = message;
    if link.has_refused_long_message() {
        message = format!("the server sent a message of more than {} bytes", settings.max_message);
    } else if link.lost.is_cancelled() {
        // The standard error may be read after the end of the standard output.
        within(LAST_WORDS, link.all_written.cancelled()).await;
        let written = link.written();
        if !written.is_empty() {
            message = format!("{message}; it wrote: {written}");
        }
    }
    truncate(&settings.secrets.hide(message), MAX_TEXT).to_owned()
}

/// Returns whether an error of the protocol says that the call was not made. An internal error of the server can come
/// after the effect.
fn is_refusal(code: ErrorCode) -> bool {
    [
        ErrorCode::PARSE_ERROR,
        ErrorCode::INVALID_REQUEST,
        ErrorCode::METHOD_NOT_FOUND,
        ErrorCode::INVALID_PARAMS,
    ]
    .contains(&code)
}
