//! The builder of the client.

use std::{env, error::Error, fmt, sync::Arc, time::Duration};

use genai::{ServiceTarget, resolver::AuthData};

use super::{
    client::Client, error::GenAiBuildError, family::Family, model::GenAi, options::Options, target,
};
use crate::http::{ResponseFormat, Secrets, http_client, settings};

/// Builds a [`GenAi`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct GenAiBuilder {
    model: String,
    base_url: Option<String>,
    key: Option<String>,
    options: Options,
}

impl GenAi {
    /// The model of this name, with the key in its provider's environment variable.
    ///
    /// # Errors
    ///
    /// As those of [`GenAiBuilder::build`].
    pub fn new(model: impl Into<String>) -> Result<Self, GenAiBuildError> {
        Self::builder(model).build()
    }

    /// A builder for the model of this name.
    pub fn builder(model: impl Into<String>) -> GenAiBuilder {
        GenAiBuilder::new(model.into())
    }
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
