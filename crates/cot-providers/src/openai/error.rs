//! Why a client could not be built.

use std::error::Error;

/// Why a client could not be built. It repeats neither the URL nor the key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenAiBuildError {
    /// The base URL can't be parsed.
    #[error("the base URL is not a URL")]
    Url(#[source] Box<dyn Error + Send + Sync>),
    /// The base URL's scheme is not `http` or `https`.
    #[error("the base URL has to begin with `http://` or `https://`")]
    Scheme,
    /// The key is empty, or not made of visible ASCII characters alone.
    #[error("the key is empty or has a blank, a line break or another character that no key has")]
    Key,
    /// There is both a key and a user name in the base URL.
    #[error("a key and a user name in the base URL can't both be sent")]
    TwoCredentials,
    /// The HTTP client could not be set up.
    #[error("the HTTP client could not be set up")]
    Client(#[source] Box<dyn Error + Send + Sync>),
}
