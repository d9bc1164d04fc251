//! Shared parts of the clients: connecting, redaction of secrets, errors, retries, and usage.

mod attempt_error;
mod connect;
mod rejection;
mod response_format;
mod retry;
mod retry_after;
mod schema;
mod secrets;
mod settings;
mod usage;

pub(crate) use attempt_error::AttemptError;
pub(crate) use connect::{ConnectOptions, http_client};
pub(crate) use rejection::Rejection;
#[cfg(feature = "openai")]
pub(crate) use rejection::Setting;
pub use response_format::ResponseFormat;
pub(crate) use retry::RetryPolicy;
pub(crate) use schema::in_dialect;
pub(crate) use secrets::Secrets;
pub(crate) use settings::settings;
pub(crate) use usage::read_chat_usage;
