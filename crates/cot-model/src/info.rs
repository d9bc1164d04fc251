//! What a client tells of its model.

/// What a client tells of its model and of the service that runs it, for traces and displays.
///
/// ```
/// use cot_core::model::ModelInfo;
///
/// let info = ModelInfo::new().provider("openai").model("gpt-5-mini").address("api.openai.com", 443);
/// assert_eq!(info.model, Some("gpt-5-mini"));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelInfo<'a> {
    /// The provider, by its name in OpenTelemetry's conventions if it has one there, such as `openai` or
    /// `anthropic`.
    pub provider: Option<&'a str>,
    /// The name of the model, as requests have it.
    pub model: Option<&'a str>,
    /// The host of the service.
    pub address: Option<&'a str>,
    /// The port of the service.
    pub port: Option<u16>,
}

impl<'a> ModelInfo<'a> {
    /// Creates the information of a model of which nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        Self { provider: None, model: None, address: None, port: None }
    }

    /// Sets the provider.
    #[must_use]
    pub const fn provider(self, provider: &'a str) -> Self {
        Self { provider: Some(provider), ..self }
    }

    /// Sets the name of the model.
    #[must_use]
    pub const fn model(self, model: &'a str) -> Self {
        Self { model: Some(model), ..self }
    }

    /// Sets the host and port of the service.
    #[must_use]
    pub const fn address(self, host: &'a str, port: u16) -> Self {
        Self { address: Some(host), port: Some(port), ..self }
    }
}
