//! The options of the client, and what can be wrong with them.

use std::{env, error::Error, fmt, sync::Arc, time::Duration};

use genai::{ServiceTarget, resolver::AuthData};

use super::{GenAi, client::Client, family::Family, target};
use crate::http::{ConnectOptions, Patience, ResponseFormat, Secrets, http_client, settings};

/// What the client does beyond who it talks to.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) connect: ConnectOptions,
    pub(super) patience: Patience,
    pub(super) max_reply_bytes: usize,
    pub(super) response_format: ResponseFormat,
    pub(super) explain_format: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connect: ConnectOptions::default(),
            patience: Patience::default(),
            max_reply_bytes: 16 * 1024 * 1024,
            response_format: ResponseFormat::default(),
            explain_format: false,
        }
    }
}

/// Builds a [`GenAi`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct GenAiBuilder {
    model: String,
    base_url: Option<String>,
    key: Option<String>,
    options: Options,
}

impl GenAiBuilder {
    pub(super) fn new(model: String) -> Self {
        Self { model, base_url: None, key: None, options: Options::default() }
    }

    settings!();

    /// The key. It is never shown. Without one, that in the provider's environment variable is taken,
    /// but only for the provider's own server: with a [`base_url`](Self::base_url) of yours it has to
    /// be given here, or the word `none` is sent in its place.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Another server than the provider's own: the part of the address before what the protocol adds,
    /// as in `https://api.anthropic.com/v1/`, `https://generativelanguage.googleapis.com/v1beta/` and
    /// `http://localhost:11434/`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// The longest reply that is taken. Default: 16 MiB. A streamed reply is read no further; one in a
    /// piece is read first.
    pub fn max_reply_bytes(mut self, bytes: usize) -> Self {
        self.options.max_reply_bytes = bytes;
        self
    }

    /// How to ask for replies that fit the schema. Default: [`ResponseFormat::JsonSchema`], where the
    /// protocol has room for a schema, and [`ResponseFormat::JsonObject`] elsewhere.
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.options.response_format = format;
        self
    }

    /// Builds the model. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// A provider that is not known, a base URL or key that can't be used, no key, or a system without
    /// usable TLS.
    pub fn build(self) -> Result<GenAi, GenAiBuildError> {
        let base_url = self.base_url.as_deref().map(target::read_base_url).transpose()?;
        let mut target = target::find(&self.model, base_url.as_ref())?;
        let family = Family::of(&target.model);
        target.auth = AuthData::Key(find_key(self.key, base_url.is_some(), &target)?);
        let secrets = secrets(&target.auth)?;
        if family == Family::Grammar {
            target = target::as_chat_completions(target);
        }
        let url = target::read_base_url(target.endpoint.base_url())?;
        let broken = |error: Box<dyn Error + Send + Sync>| GenAiBuildError::Client(error);
        let http =
            http_client(&url, &self.options.connect).map_err(|error| broken(error.into()))?;
        let genai = genai::Client::builder().with_reqwest(http).build();
        let genai = genai.map_err(|error| broken(error.into()))?;
        let client = Client::new(genai, target, family, secrets, self.options);
        Ok(GenAi { client: Arc::new(client) })
    }
}

impl fmt::Debug for GenAiBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The base URL is left out: unparsed, it can't be rid of its secrets.
        f.debug_struct("GenAiBuilder")
            .field("model", &self.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

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

/// What is sent where no key is needed: the protocols have no way to send none.
const NO_KEY: &str = "none";

// A key from the environment is the provider's, and not for a server of somebody else.
fn find_key(
    given: Option<String>,
    is_elsewhere: bool,
    target: &ServiceTarget,
) -> Result<String, GenAiBuildError> {
    match (given, &target.auth) {
        (Some(key), _) => Ok(key),
        (None, AuthData::Key(key)) => Ok(key.clone()),
        (None, AuthData::FromEnv(variable)) if !is_elsewhere => {
            env::var(variable).map_err(|_| GenAiBuildError::NoKey { variable: variable.clone() })
        }
        (None, _) => Ok(NO_KEY.to_owned()),
    }
}

fn secrets(auth: &AuthData) -> Result<Secrets, GenAiBuildError> {
    let key = auth.single_key_value().unwrap_or_default();
    let secrets = Secrets::of_key(&key).map_err(|_| GenAiBuildError::Key)?;
    // What everybody sends is a word like any other.
    Ok(if matches!(key.as_str(), NO_KEY | "ollama") { Secrets::default() } else { secrets })
}
