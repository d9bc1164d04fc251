//! Language models: the trait [`LanguageModel`], and the implementations of this library.

#[doc(inline)]
pub use cot_model::{
    AcceptedMedia, Blob, BlobSet, BoxFuture, Delta, DeltaSink, Digest, DigestMismatchError,
    Document, Effort, FinishReason, Image, InTraceContext, LanguageModel, Media, MediaError,
    MediaKind, MediaSource, Message, MessagePart, ModelError, ModelErrorKind, ModelInfo,
    ModelReply, ModelRequest, ModelSettings, ParseDigestError, ParseEffortError,
    ParseTraceContextError, ReplySchema, Role, ScriptedAnswer, ScriptedModel, Tool, ToolCall,
    ToolResult, ToolRound, TraceContext, Turn, TurnRole, UrlProblem,
};
#[cfg(any(feature = "anthropic", feature = "openai"))]
#[doc(inline)]
pub use cot_providers::ClientBuildError;
#[cfg(any(feature = "anthropic", feature = "genai", feature = "openai"))]
#[doc(inline)]
pub use cot_providers::ResponseFormat;
#[cfg(feature = "anthropic")]
#[doc(inline)]
pub use cot_providers::{Anthropic, AnthropicBuilder};
#[cfg(feature = "genai")]
#[doc(inline)]
pub use cot_providers::{GenAi, GenAiBuildError, GenAiBuilder};
#[cfg(feature = "openai")]
#[doc(inline)]
pub use cot_providers::{OpenAiBuilder, OpenAiCompatible};
#[doc(inline)]
pub use cot_runtime::{LimitedModel, ModelExt, Price, PricedModel, RateLimit, RateLimitedModel};
#[doc(inline)]
pub use cot_schema::{Dialect, DialectError};
