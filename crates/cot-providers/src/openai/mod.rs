//! A client for servers with the chat completions API.

mod answer;
mod builder;
mod capabilities;
mod client;
mod content;
mod credentials;
mod error;
mod model;
mod options;
mod prepared_request;
mod sse;
mod stream;
mod tools;
mod wire;

pub use builder::OpenAiBuilder;
pub use error::OpenAiBuildError;
pub use model::OpenAiCompatible;
