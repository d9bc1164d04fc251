//! Conversations in the TASK format: a model that plans, calls tools and answers.
//!
//! A [`Session`] holds the trace of a conversation and drives a [`LanguageModel`] through it. Each message of
//! the [user](Session::user) begins a turn: the model plans, its calls run at the same time, their results
//! are put into the trace in the order of the calls, and its response ends the turn.
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
mod turn;

#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc};

pub use builder::SessionBuilder;
pub use error::{SessionBuildError, SessionError, ToolChange};
pub use event::SessionEvent;
pub use turn::ActiveTurn;

use self::core::Core;
use super::{TodoItem, Trace};
use crate::{LanguageModel, Usage, model::ModelRequest};

/// A conversation with a model in the TASK format. A clone goes on by itself.
#[derive(Clone)]
pub struct Session {
    core: Core,
    model: Arc<dyn LanguageModel>,
    primer: Option<String>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    usage: Usage,
}

impl Session {
    /// Says what a session is.
    #[must_use]
    pub fn builder(model: impl LanguageModel + 'static) -> SessionBuilder {
        SessionBuilder::new(Arc::new(model))
    }

    /// A message of the user, tagged `usr1`, `usr2` and so on, and the turn that it begins.
    ///
    /// The message is taken at once, and the turn goes on while it is polled. One that was dropped, or could
    /// not go on, is left [unfinished](Self::is_unfinished): then this fails with
    /// [`SessionError::Unfinished`].
    pub fn user(&mut self, text: impl Into<String>) -> ActiveTurn<'_> {
        match self.core.user(text.into()) {
            Ok(()) => ActiveTurn::new(self),
            Err(error) => ActiveTurn::failed(self, error),
        }
    }

    /// Goes on with the turn that has no response yet, with its limits anew; `None` if there is none. Calls
    /// that have no result are run again.
    pub fn go_on(&mut self) -> Option<ActiveTurn<'_>> {
        if !self.is_unfinished() {
            return None;
        }
        self.core.begin_again();
        Some(ActiveTurn::new(self))
    }

    /// Takes the turn out of the trace that has no response yet, if there is one.
    pub fn abandon(&mut self) {
        self.core.abandon();
    }

    /// Whether the last turn has no response yet.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        !self.core.is_over()
    }

    /// The conversation so far: to write, to show as JSON, to [resume](SessionBuilder::resume) from.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.core.trace
    }

    /// The todo items so far, by number: of each number, the newest.
    #[must_use]
    pub fn todos(&self) -> Vec<TodoItem> {
        self.core.trace.todos()
    }

    /// How the tools differ from those of the trace that the session was resumed from; empty for a session
    /// that began here.
    #[must_use]
    pub fn tool_changes(&self) -> &[ToolChange] {
        &self.core.changes
    }

    /// What the calls of the model consumed. Of one that was dropped, nobody knows how much.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    fn request(&self, prompt: String) -> ModelRequest {
        let mut request = ModelRequest::new(prompt);
        request.system = self.primer.clone().map(Into::into);
        request.temperature = self.temperature;
        request.max_tokens = self.max_tokens;
        request
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("blocks", &self.core.trace.blocks.len())
            .field("tools", &self.core.tools)
            .field("is_unfinished", &self.is_unfinished())
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}
