//! The ways to request replies that match a schema.

/// How a client requests replies that match a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// Sends the JSON schema; the server constrains decoding. If the server answers 400 or 422 and
    /// mentions the response format, the request is repeated with [`PromptOnly`](Self::PromptOnly); if
    /// that succeeds, all later requests use it.
    #[default]
    JsonSchema,
    /// Requests a JSON object; the prompt explains its format. Falls back like
    /// [`JsonSchema`](Self::JsonSchema).
    JsonObject,
    /// Requests nothing; the prompt explains the format.
    PromptOnly,
}
