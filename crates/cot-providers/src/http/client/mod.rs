//! The client of one model, for all protocols: attempts, fallbacks, credentials and limits. A [`Protocol`] says how a
//! request is written, and how a reply and the events of a stream are read.

mod body;
mod credentials;
mod endpoint;
mod error;
mod form;
mod model_client;
mod options;
mod prepared_request;
mod protocol;
mod response;
mod sse;
mod stream;
mod whole_reply;

pub(crate) use endpoint::Server;
pub use error::ClientBuildError;
#[cfg(feature = "openai")]
pub(crate) use form::{RequestForm, Streaming};
pub(crate) use model_client::Client;
pub(crate) use options::Options;
#[cfg(feature = "openai")]
pub(crate) use prepared_request::SentSchema;
pub(crate) use prepared_request::SentTool;
pub(crate) use protocol::{Outgoing, PartialReply, Protocol, UnexpectedError};
pub(crate) use whole_reply::WholeReply;
