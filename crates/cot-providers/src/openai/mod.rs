//! A client for servers that speak the chat-completions API.

mod answer;
mod builder;
mod client;
mod credentials;
mod error;
mod manner;
mod model;
mod options;
mod question;
mod sse;
mod stream;
mod wire;

pub use builder::OpenAiBuilder;
pub use error::OpenAiBuildError;
pub use model::OpenAiCompatible;
