//! The error of building a client.

use std::error::Error;

/// An error of [`GenAiBuilder::build`](super::GenAiBuilder::build). Its text contains neither the URL
/// nor the key.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum GenAiBuildError {
    /// The namespace before `::` in the model's name is not a provider of `genai`.
    #[error("unknown provider `{namespace}`")]
    Provider {
        /// The namespace.
        namespace: String,
    },
    /// The address of the provider depends on the call, so a base URL is required.
    #[error("the address of the provider is unknown: set the base URL")]
    NoAddress,
    /// The base URL can't be parsed, has another scheme than `http` or `https`, or has a user name, a
    /// query or a fragment.
    #[error("the base URL is invalid, or has more than a scheme, a host and a path")]
    Url,
    /// No key was set, and the environment has none.
    #[error("the key is missing: set it, or the environment variable `{variable}`")]
    NoKey {
        /// The environment variable that is read.
        variable: String,
    },
    /// The key is empty or contains characters other than visible ASCII.
    #[error(
        "the key is empty, or has a blank, a line break or another character that keys can't have"
    )]
    Key,
    /// The HTTP client could not be created.
    #[error("the HTTP client could not be set up")]
    Client(#[source] Box<dyn Error + Send + Sync>),
}

cot_schema::debug_as_sentence!(GenAiBuildError);
