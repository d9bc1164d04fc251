//! Language models: the trait that every engine implements, and the engines that come with the
//! library.

mod ext;
#[cfg(feature = "genai")]
mod genai;
mod heard;
#[cfg(any(feature = "genai", feature = "openai"))]
mod http;
mod limited;
#[cfg(feature = "openai")]
mod openai;
mod priced;
#[cfg(test)]
mod record;

#[doc(inline)]
pub use cot_model::{
    BoxFuture, Delta, DeltaSink, FinishReason, LanguageModel, ModelError, ModelErrorKind,
    ModelReply, ModelRequest, ReplySchema, ScriptedAnswer, ScriptedModel,
};
#[doc(inline)]
pub use cot_schema::{Dialect, Inexpressible};
pub use ext::ModelExt;
#[cfg(feature = "genai")]
pub use genai::{GenAi, GenAiBuildError, GenAiBuilder};
pub(crate) use heard::{Heard, HeardCall};
#[cfg(any(feature = "genai", feature = "openai"))]
pub use http::ResponseFormat;
pub use limited::Limited;
#[cfg(feature = "openai")]
pub use openai::{OpenAiBuildError, OpenAiBuilder, OpenAiCompatible};
pub use priced::{Price, Priced};
