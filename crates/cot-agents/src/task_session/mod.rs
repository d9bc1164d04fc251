//! Conversations in the TASK format: a model that plans, calls tools and answers.
//!
//! A [`Session`] holds the trace of a conversation and drives a [`LanguageModel`](cot_model::LanguageModel)
//! through it. Each message of the [user](Session::user) begins a turn: the model plans, its calls run at the
//! same time, their results are put into the trace in the order of the calls, and its response ends the turn.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use cot_core::{CotOutput, model::ScriptedModel, task_format::{self, session::Session}};
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
//!     .tool("get_weather", "The weather at a place", weather)
//!     .build()?;
//! let answer = session.user("What is the weather in 94103?").await?;
//! assert_eq!(answer, "It is 68 °F; take a sweater.");
//! assert!(session.todos().iter().all(|todo| todo.is_satisfied));
//!
//! let text = session.trace().to_string();
//! assert!(text.contains("result {\n    data ↦ \"68 °F and overcast in 94103\"\n} 🏷 w1"));
//! assert!(task_format::check(&text).is_valid());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! # What is believed
//!
//! The model writes `plan`, `todo`, `act` and `response`. What it says after its calls or its response is not
//! read, and a `result`, `user`, `system` or `tool` that it writes is refused. A structure is also refused
//! when it stands before the plan, calls a tool that is not there, or has arguments that do not fit: then the
//! model is told why and asked again, so many times. What is refused leaves no trace.
//!
//! So the trace holds only results that tools gave. They are quoted, so that no text in them is read as a
//! structure; what a model makes of a text that gives it orders is another matter.

mod builder;
mod core;
mod error;
mod event;
mod state;
mod turn;

#[cfg(test)]
mod tests;

pub use builder::SessionBuilder;
pub use error::{SessionBuildError, SessionError, ToolChange};
pub use event::SessionEvent;
pub use state::Session;
pub use turn::ActiveTurn;
