//! Language models: the trait that every engine implements, and the engines that come with the
//! library.

mod ext;
mod heard;
mod limited;
mod priced;
#[cfg(test)]
mod record;

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
pub use cot_schema::{Dialect, Inexpressible};
pub use ext::ModelExt;
pub(crate) use heard::{Heard, HeardCall};
pub use limited::Limited;
pub use priced::{Price, Priced};
