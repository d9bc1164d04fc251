//! The interface to language models: a trait for model clients, and the types of requests and replies.
//!
//! A [`LanguageModel`] answers a [`ModelRequest`] with a [`ModelReply`], which includes its [`Usage`], or
//! fails with a [`ModelError`]. A reply can call the [tools](Tool) of the request; the next request has its
//! calls with their results as a [`ToolRound`]. A reply can be streamed into a [`DeltaSink`]. A [`ScriptedModel`] answers
//! from a list, for tests and examples. This crate contains no HTTP client.
//!
//! ```
//! use cot_model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest};
//!
//! struct Echo;
//!
//! impl LanguageModel for Echo {
//!     fn reply<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
//!         Box::pin(async move { Ok(ModelReply::new(request.prompt())) })
//!     }
//! }
//! # let _ = Echo;
//! ```
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// The trait `LanguageModel`, replies, usage, the scripted model; `request`: a request as texts with the boundaries
// of their pieces (`segments` says how stable each is), shown as messages of parts (`message`); `tool`: tools, calls
// and rounds, and their form in a prompt for engines without tool calls (`text`, `choice`); `settings` of a call;
// `media`: images and documents, checked where they are created and where they are read; `blobs`: their bytes by
// digest, and the scopes in which JSON refers to them; `trace_context`: the W3C context of a trace, and the scopes
// in which it is current; `function_error`: the error of a function, and what it says of the effect; `secret`.

mod blobs;
mod delta;
mod effect_error;
mod error;
mod function_error;
mod info;
#[doc(hidden)]
pub mod internal;
mod media;
mod message;
mod model;
mod part;
mod reply;
mod reply_schema;
mod request;
mod request_text;
mod scripted;
mod secret;
mod segments;
mod settings;
mod tool;
mod trace_context;
mod usage;

pub use blobs::{
    blob::{Blob, DigestMismatchError},
    digest::{Digest, ParseDigestError},
    set::BlobSet,
};
pub use delta::{Delta, DeltaSink};
pub use effect_error::EffectError;
pub use error::{ModelError, ModelErrorKind};
pub use function_error::FunctionError;
pub use info::ModelInfo;
pub use media::{
    document::Document,
    error::{MediaError, UrlProblem},
    image::Image,
    kind::MediaKind,
    medium::{AcceptedMedia, Media},
    source::MediaSource,
};
pub use message::{Message, MessagePart, Role, Turn, TurnRole};
pub use model::{BoxFuture, LanguageModel};
pub use part::PartName;
pub use reply::{FinishReason, ModelReply};
pub use reply_schema::ReplySchema;
pub use request::ModelRequest;
pub use scripted::{ScriptedAnswer, ScriptedModel};
pub use secret::Secret;
pub use segments::{PromptSegments, Segment, Stability};
pub use settings::{Effort, ModelSettings, ParseEffortError};
pub use tool::{
    call::{ToolCall, ToolResult},
    tool::{Tool, ToolRound},
};
pub use trace_context::{
    context::TraceContext, error::ParseTraceContextError, scope::InTraceContext,
};
pub use usage::Usage;
