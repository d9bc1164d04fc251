//! The builder of [`Anthropic`].

use std::{fmt, time::Duration};

use cot_model::AcceptedMedia;
use cot_schema::Dialect;

use super::{
    model::Anthropic,
    protocol::{DEFAULT_MAX_TOKENS, Messages},
};
use crate::http::{
    ResponseFormat,
    client::{ClientBuildError, Options, Server},
    needs_explanation, settings,
};

/// The base URL of the vendor's own server.
const BASE_URL: &str = "https://api.anthropic.com/v1";

/// Builds an [`Anthropic`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct AnthropicBuilder {
    server: Server,
    max_tokens: u32,
    betas: Vec<String>,
    options: Options,
}

impl Anthropic {
    /// Creates a builder for a model of Anthropic, such as `claude-sonnet-4-5`.
    pub fn builder(model: impl Into<String>) -> AnthropicBuilder {
        AnthropicBuilder::new(model.into())
    }
}

impl AnthropicBuilder {
    fn new(model: String) -> Self {
        let options = Options {
            dialect: Some(Dialect::Anthropic),
            accepts: Some(AcceptedMedia::ALL),
            cache_breakpoints: true,
            format_with_tools: Some(true),
            ..Options::default()
        };
        let server = Server { base_url: BASE_URL.to_owned(), model, key: None };
        Self { server, max_tokens: DEFAULT_MAX_TOKENS, betas: Vec::new(), options }
    }

    settings!();

    /// Sets the key, which is sent as `x-api-key` and never appears in output.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.server.key = Some(key.into());
        self
    }

    /// Sets the base URL of another server: the part before `/messages`. Default: `https://api.anthropic.com/v1`.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.server.base_url = url.into();
        self
    }

    /// Sets the limit of tokens of requests whose settings have none. Default: 16,384.
    pub fn max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// Asks for a beta feature of the API, by the name that its documentation gives, such as
    /// `context-management-2025-06-27`. Several features add up.
    pub fn beta(mut self, feature: impl Into<String>) -> Self {
        self.betas.push(feature.into());
        self
    }

    /// Sets the size limit of a response. Default: 16 MiB. For a stream it applies to the content of the reply and the
    /// incomplete event.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.options.max_body_bytes = bytes;
        self
    }

    /// Sets how the server is asked for replies that match the schema. Default: [`ResponseFormat::JsonSchema`].
    ///
    /// The protocol has no [`ResponseFormat::JsonObject`]: it is the same as [`ResponseFormat::PromptOnly`].
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.options.response_format = format;
        self
    }

    /// Sets which images and documents the model accepts. A request with others fails before it is sent.
    /// Default: [`AcceptedMedia::ALL`].
    pub fn accepts(mut self, media: AcceptedMedia) -> Self {
        self.options.accepts = Some(media);
        self
    }

    /// Sets whether requests mark what the server is to cache, with `cache_control`. Default: true.
    ///
    /// Up to four texts are marked: the last ones of the system message and the turns, the last ones of the
    /// prompt that are the same in all runs and in one run, and the last whole block of 2 kB of those that are
    /// only appended to. Writing to the cache costs extra, and reading from it a tenth of other input.
    pub fn cache_breakpoints(mut self, send: bool) -> Self {
        self.options.cache_breakpoints = send;
        self
    }

    /// Builds the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the base URL, the key or the name of a beta feature is invalid, or TLS is needed and the
    /// build or the system has none.
    pub fn build(mut self) -> Result<Anthropic, ClientBuildError> {
        let endpoint = self.server.endpoint::<Messages>()?;
        self.options.explain_format.get_or_insert_with(|| needs_explanation(&endpoint));
        let protocol = Messages::new(self.max_tokens, &self.betas)?;
        Ok(Anthropic { client: self.server.connect(protocol, self.options)? })
    }
}

impl fmt::Debug for AnthropicBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The base URL is omitted: unparsed, its secrets can't be removed.
        f.debug_struct("AnthropicBuilder")
            .field("model", &self.server.model)
            .field("max_tokens", &self.max_tokens)
            .field("betas", &self.betas)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
