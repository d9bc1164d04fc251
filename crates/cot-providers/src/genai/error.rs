//! Why a client could not be built.

use std::error::Error;

/// Why a client could not be built. It repeats neither the URL nor the key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenAiBuildError {
    /// What stands before `::` in the name of the model is no provider that `genai` knows.
    #[error("`{namespace}` is no provider that is known")]
    Provider {
        /// What stands there.
        namespace: String,
    },
    /// The provider has no address that is known before the first call.
    #[error("the address of the provider is not known: give the base URL")]
    NoAddress,
    /// The base URL can't be parsed, does not begin with `http://` or `https://`, or has a user name,
    /// a query or a fragment.
    #[error("the base URL is none, or has more than a scheme, a host and a path")]
    Url,
    /// No key was given, and the environment has none.
    #[error("there is no key: give one, or set the environment variable `{variable}`")]
    NoKey {
        /// The variable that would be read.
        variable: String,
    },
    /// The key is empty, or not made of visible ASCII characters alone.
    #[error("the key is empty or has a blank, a line break or another character that no key has")]
    Key,
    /// The HTTP client could not be set up.
    #[error("the HTTP client could not be set up")]
    Client(#[source] Box<dyn Error + Send + Sync>),
}
