//! A client for Anthropic's Messages API.

mod builder;
mod content;
mod model;
mod protocol;
mod reply;
mod request;
mod stream;
mod usage;

pub use builder::AnthropicBuilder;
pub use model::Anthropic;
