//! Conversations in the TASK format: a model plans, calls tools and answers.
//!
//! A [`Session`] holds the trace of a conversation and drives a [`LanguageModel`](cot_model::LanguageModel)
//! through it. Each message of the [user](Session::user) starts a turn: the model plans and calls tools,
//! which run concurrently. The results are added to the trace in the order of the calls. The model's
//! response ends the turn.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use cot_core::{CotOutput, model::ScriptedModel, task_format::{self, session::Session}, tools::ToolSet};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! /// A place.
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Place {
//!     zip_code: String,
//! }
//!
//! async fn weather(place: Place) -> Result<String, Infallible> {
//!     Ok(format!("68 °F and overcast in {}", place.zip_code))
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let model = ScriptedModel::new([
//!     r#"plan { todo ↦ { 1 ↦ "Fetch the weather." • 2 ↦ "Answer." } • rationale ↦ "The tool knows." }
//!        act { call ↦ { tool ↦ get_weather • zip_code ↦ "94103" • id ↦ w1 } ⊨ 1 }"#,
//!     "response「It is 68 °F; take a sweater.」 ※ w1 ⊨ 2",
//! ]);
//! let mut session = Session::builder(model)
//!     .tools(ToolSet::new().tool("get_weather", "The weather at a place", weather))
//!     .build()?;
//! let answer = session.user("What is the weather in 94103?").await?;
//! assert_eq!(answer, "It is 68 °F; take a sweater.");
//! assert!(session.trace().todos().iter().all(|todo| todo.is_satisfied));
//!
//! let text = session.trace().to_string();
//! assert!(text.contains("result {\n    data ↦ \"68 °F and overcast in 94103\"\n} 🏷 w1"));
//! assert!(task_format::check(&text).is_valid());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! A conversation is a run of the process [`Conversation`]. [`SessionBuilder::open`] stores it, so that it
//! survives its program, and people and workers can continue it.
//!
//! # What the trace guarantees
//!
//! The model writes `plan`, `todo`, `act` and `response`. Text after its calls or its response is ignored. A
//! `result`, `user`, `system` or `tool` from the model is rejected, as is a structure before the plan, a
//! call of an unknown tool, or a call with invalid arguments. So is what would be lost: an unknown structure,
//! an object outside of structures, and a call at a place where none is performed. The model is then asked
//! again with the diagnostics, up to a limit. Rejected structures are not added to the trace. Words after
//! the last structure are reported in the next prompt, unless the reply called or responded.
//!
//! The trace therefore contains only results that tools returned. Results are quoted, so that no text inside
//! them is parsed as a structure. This does not prevent a model from following instructions inside a result.

mod builder;
mod conversation;
mod error;
mod event;
mod failure;
mod session;
mod turn;
mod turn_events;
mod view;

pub use builder::SessionBuilder;
pub use conversation::{
    context::SessionContext,
    limits::SessionLimits,
    process::{
        Conversation, ConversationOutcome, ConversationOutput, ConversationTask, Decision, Message,
        ReplyText,
    },
    state::ConversationState,
};
pub use error::{SessionBuildError, SessionError, SessionOpenError, ToolChange};
pub use event::SessionEvent;
pub use session::Session;
pub use turn::ActiveTurn;
