//! How a server is asked for replies that fit a schema.

/// How a client asks a server to hold the model to the schema of the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// The server gets the JSON schema and constrains decoding. A server that answers 400 or 422
    /// and names the response format is asked again with [`PromptOnly`](Self::PromptOnly), and if
    /// that works, always from then on.
    #[default]
    JsonSchema,
    /// The server is told to answer with a JSON object; the prompt explains which. Falls back like
    /// [`JsonSchema`](Self::JsonSchema).
    JsonObject,
    /// The server is told nothing; the prompt explains the format.
    PromptOnly,
}
