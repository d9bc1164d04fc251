//! What the clients of model servers have in common: how they connect, what they hide, how they fail,
//! and when they try again.

mod complaint;
mod connect;
mod failure;
mod patience;
mod response_format;
mod retry_after;
mod schema;
mod secrets;
mod settings;

pub(crate) use complaint::Complaint;
pub(crate) use connect::{ConnectOptions, http_client};
pub(crate) use failure::Failure;
pub(crate) use patience::Patience;
pub use response_format::ResponseFormat;
pub(crate) use schema::in_dialect;
pub(crate) use secrets::Secrets;
pub(crate) use settings::settings;
