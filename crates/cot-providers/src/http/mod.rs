//! Shared parts of the clients: connecting, redaction of secrets, errors, retries, and usage.

mod attempt_error;
mod calls;
mod connect;
mod failure;
mod finish;
mod rejection;
mod response_format;
mod retry;
mod retry_after;
mod schema;
mod secrets;
mod settings;
mod time_limits;
mod trace;
mod usage;

pub(crate) use attempt_error::AttemptError;
#[cfg(feature = "genai")]
pub(crate) use calls::CALL_BYTES;
#[cfg(feature = "openai")]
pub(crate) use calls::CALL_DATA;
#[cfg(feature = "genai")]
pub(crate) use calls::check_names;
pub(crate) use calls::{CallMembers, MESSAGE_DATA, PartialCalls, answer_in_thoughts};
pub(crate) use connect::http_client;
pub(crate) use failure::reported_error;
pub(crate) use finish::read_finish;
#[cfg(feature = "openai")]
pub(crate) use rejection::Setting;
pub(crate) use rejection::{Rejection, SentFeatures};
pub use response_format::ResponseFormat;
pub(crate) use retry::RetryPolicy;
pub(crate) use schema::in_dialect;
pub(crate) use secrets::Secrets;
pub(crate) use settings::settings;
pub(crate) use time_limits::{TimeLimits, Waits};
pub(crate) use trace::{ReplyNames, trace_headers};
pub(crate) use usage::chat_usage;
