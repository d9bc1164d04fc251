//! Shared parts of the clients: connecting, redaction of secrets, errors, retries, and usage. `client` is the whole client
//! of the protocols that this crate reads itself.

mod attempt_error;
mod call_data;
#[cfg(any(feature = "genai", feature = "openai"))]
mod calls;
#[cfg(any(feature = "anthropic", feature = "openai"))]
#[cfg_attr(
    not(all(feature = "anthropic", feature = "openai")),
    expect(dead_code, reason = "each protocol needs another part of what the client knows")
)]
pub(crate) mod client;
mod connect;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod continuation;
mod explained;
mod failure;
mod finish;
mod language_model;
#[cfg_attr(
    not(any(feature = "anthropic", feature = "openai")),
    expect(dead_code, reason = "`genai` continues no reply")
)]
mod pause;
mod rejection;
mod response_format;
mod retry;
mod retry_after;
mod schema;
mod secrets;
mod settings;
mod time_limits;
mod trace;
#[cfg(any(feature = "genai", feature = "openai"))]
mod usage;

pub(crate) use attempt_error::AttemptError;
#[cfg(feature = "openai")]
pub(crate) use call_data::CALL_DATA;
#[cfg(any(feature = "anthropic", feature = "genai"))]
pub(crate) use call_data::check_names;
pub(crate) use call_data::{Issuer, MESSAGE_DATA};
#[cfg(feature = "genai")]
pub(crate) use calls::CALL_BYTES;
#[cfg(any(feature = "genai", feature = "openai"))]
pub(crate) use calls::{CallMembers, PartialCalls, answer_in_thoughts};
pub(crate) use connect::http_client;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) use continuation::Continuation;
pub(crate) use explained::needs_explanation;
pub(crate) use failure::reported_error;
pub(crate) use finish::read_finish;
pub(crate) use language_model::language_model;
pub(crate) use pause::Pause;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) use rejection::Setting;
pub(crate) use rejection::{Rejection, SentFeatures};
pub use response_format::ResponseFormat;
pub(crate) use retry::RetryPolicy;
pub(crate) use schema::in_dialect;
pub(crate) use secrets::Secrets;
pub(crate) use settings::settings;
pub(crate) use time_limits::{TimeLimits, Waits};
pub(crate) use trace::{ReplyNames, trace_headers};
#[cfg(any(feature = "genai", feature = "openai"))]
pub(crate) use usage::chat_usage;
