//! The builder of [`GenAi`].

use std::{env, error::Error, fmt, sync::Arc, time::Duration};

use cot_model::AcceptedMedia;
use genai::{ServiceTarget, resolver::AuthData};

use super::{
    client::Client,
    error::GenAiBuildError,
    family::{self, Family},
    model::GenAi,
    options::Options,
    target,
};
use crate::http::{Issuer, ResponseFormat, Secrets, http_client, needs_explanation, settings};

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
    /// Creates a client for the model of this name. The key is read from the environment variable of
    /// its provider.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`GenAiBuilder::build`].
    pub fn new(model: impl Into<String>) -> Result<Self, GenAiBuildError> {
        Self::builder(model).build()
    }

    /// Creates a builder for the model of this name.
    pub fn builder(model: impl Into<String>) -> GenAiBuilder {
        GenAiBuilder::new(model.into())
    }
}

impl GenAiBuilder {
    pub(super) fn new(model: String) -> Self {
        Self { model, base_url: None, key: None, options: Options::default() }
    }

    settings!();

    /// Sets the key, which never appears in output. Without it, the provider's environment variable is
    /// read, but only for the provider's own server: with a custom [`base_url`](Self::base_url) the key
    /// must be set here, or the word `none` is sent instead.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets the base URL of a server other than the provider's own: the address up to the path that the
    /// protocol adds, such as `https://api.anthropic.com/v1/`,
    /// `https://generativelanguage.googleapis.com/v1beta/` or `http://localhost:11434/`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the limit on the length of a reply. Default: 16 MiB. Reading a streamed reply with its thoughts
    /// stops at the limit; a reply in one piece is read before it is checked.
    pub fn max_reply_bytes(mut self, bytes: usize) -> Self {
        self.options.max_reply_bytes = bytes;
        self
    }

    /// Sets how servers are asked for replies that match the schema. Default:
    /// [`ResponseFormat::JsonSchema`] if the protocol supports schemas, otherwise
    /// [`ResponseFormat::JsonObject`].
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.options.response_format = format;
        self
    }

    /// Sets which images and documents the model accepts. A request with others fails before it is sent.
    ///
    /// Default: [`AcceptedMedia::ALL`] for Anthropic, Gemini and OpenAI's own servers;
    /// [`AcceptedMedia::NONE`] for other providers, whose models differ.
    pub fn accepts(mut self, media: AcceptedMedia) -> Self {
        self.options.accepts = Some(media);
        self
    }

    /// Sets whether requests use prompt caches that vendors only use on request. Default: true.
    ///
    /// For Anthropic, up to four texts are marked with `cache_control`: the last ones of the system message
    /// and the turns, the last ones of the prompt that are the same in all runs and in one run, and the last
    /// whole block of 2 kB of those that are only appended to. Writing to its cache costs extra. Newer models
    /// of OpenAI charge for that too; their automatic cache stays on. Other providers cache prefixes by
    /// themselves.
    pub fn cache_breakpoints(mut self, send: bool) -> Self {
        self.options.cache_breakpoints = send;
        self
    }

    /// Sets whether the server is sent tools, and sends calls of them. Default: true.
    ///
    /// If not, the prompt describes the tools and the JSON form of a call. If a server answers that it does not
    /// support tools, the request is repeated in this form; if that succeeds, all later requests have it. This
    /// setting is for servers that ignore tools without an error.
    pub fn tool_calls(mut self, send: bool) -> Self {
        self.options.tool_calls = send;
        self
    }

    /// Builds the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the provider is unknown, the base URL or key is invalid, the key is missing,
    /// or TLS is needed and the build or the system has none.
    pub fn build(mut self) -> Result<GenAi, GenAiBuildError> {
        let base_url = self.base_url.as_deref().map(target::read_base_url).transpose()?;
        let mut target = target::find(&self.model, base_url.as_ref())?;
        let family = Family::for_model(&target.model);
        target.auth = AuthData::Key(find_key(self.key, base_url.is_some(), &target)?);
        let secrets = secrets(&target.auth)?;
        self.options.accepts.get_or_insert_with(|| family::default_media(&target));
        if family == Family::Grammar {
            target = target::as_chat_completions(target);
        }
        let url = target::read_base_url(target.endpoint.base_url())?;
        self.options.explain_format.get_or_insert_with(|| needs_explanation(&url));
        let broken = |error: Box<dyn Error + Send + Sync>| GenAiBuildError::Client(error);
        let http = http_client(&url, &self.options.limits).map_err(broken)?;
        let genai = genai::Client::builder().with_reqwest(http).build();
        let genai = genai.map_err(|error| broken(error.into()))?;
        let issuer = Issuer::new(&url, &target.model.model_name);
        let client = Client::new(genai, target, (family, issuer), secrets, self.options);
        Ok(GenAi { client: Arc::new(client) })
    }
}

impl fmt::Debug for GenAiBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The base URL is omitted: unparsed, its secrets can't be removed.
        f.debug_struct("GenAiBuilder")
            .field("model", &self.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The key that is sent if none is needed: the protocols always send one.
const NO_KEY: &str = "none";

// A key from the environment belongs to the provider and is not sent to other servers.
fn find_key(
    given: Option<String>,
    is_custom_server: bool,
    target: &ServiceTarget,
) -> Result<String, GenAiBuildError> {
    match (given, &target.auth) {
        (Some(key), _) => Ok(key),
        (None, AuthData::Key(key)) => Ok(key.clone()),
        (None, AuthData::FromEnv(variable)) if !is_custom_server => {
            env::var(variable).map_err(|_| GenAiBuildError::NoKey { variable: variable.clone() })
        }
        (None, _) => Ok(NO_KEY.to_owned()),
    }
}

fn secrets(auth: &AuthData) -> Result<Secrets, GenAiBuildError> {
    let key = auth.single_key_value().unwrap_or_default();
    let secrets = Secrets::from_key(&key).map_err(|_| GenAiBuildError::Key)?;
    // These placeholders are ordinary words and must not be redacted.
    Ok(if matches!(key.as_str(), NO_KEY | "ollama") { Secrets::default() } else { secrets })
}
