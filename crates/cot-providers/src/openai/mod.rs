//! A client for servers with the chat completions API.

mod builder;
mod content;
mod model;
mod protocol;
mod reply;
mod request;
mod stream;

pub use builder::OpenAiBuilder;
pub use model::OpenAiCompatible;
