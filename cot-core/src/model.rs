//! Language models: the trait [`LanguageModel`], and the implementations of this library.

#[doc(inline)]
pub use cot_model::{
    BoxFuture, Delta, DeltaSink, FinishReason, LanguageModel, ModelError, ModelErrorKind,
    ModelReply, ModelRequest, ReplySchema, ScriptedAnswer, ScriptedModel,
};
#[cfg(any(feature = "genai", feature = "openai"))]
#[doc(inline)]
pub use cot_providers::ResponseFormat;
#[cfg(feature = "genai")]
#[doc(inline)]
pub use cot_providers::{GenAi, GenAiBuildError, GenAiBuilder};
#[cfg(feature = "openai")]
#[doc(inline)]
pub use cot_providers::{OpenAiBuildError, OpenAiBuilder, OpenAiCompatible};
#[doc(inline)]
pub use cot_runtime::{LimitedModel, ModelExt, Price, PricedModel};
#[doc(inline)]
pub use cot_schema::{Dialect, DialectError};
