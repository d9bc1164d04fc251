//! The error of building a client.

use std::error::Error;

/// An error of building a client. Its text contains neither the URL nor the key.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ClientBuildError {
    /// The base URL can't be parsed.
    #[error("the base URL is not a URL")]
    Url(#[source] Box<dyn Error + Send + Sync>),
    /// The scheme of the base URL is not `http` or `https`.
    #[error("the base URL must begin with `http://` or `https://`")]
    Scheme,
    /// The key is empty or contains characters other than visible ASCII.
    #[error(
        "the key is empty, or has a blank, a line break or another character that keys can't have"
    )]
    Key,
    /// The name of a beta feature contains characters that headers can't have.
    #[error(
        "the name of a beta feature has a line break or another character that headers can't have"
    )]
    Beta,
    /// Both a key and a user name in the base URL were given.
    #[error("a key and a user name in the base URL can't both be sent")]
    TwoCredentials,
    /// The HTTP client could not be created.
    #[error("the HTTP client could not be set up")]
    Client(#[source] Box<dyn Error + Send + Sync>),
}

cot_schema::debug_as_sentence!(ClientBuildError);
