//! Serves processes as tools of an MCP server, over stdio and streamable HTTP.
//!
//! A [`ProcessTool`] is a process with a runner, and a function from the arguments of a call to the state with
//! which a run starts; a [`ToolServer`] serves some of them. Each call is a run of its own. Its result is the
//! final state, or a part of it.
//!
//! - Invalid arguments are answered with their issues, so that a model can correct them.
//! - A run that fails is an error of the tool, with the message of the run.
//! - A client that asks for progress is notified when a task starts.
//! - A call that the client cancels, or that is in progress when the connection ends, cancels its run.
//!
//! A process that asks people needs a [`Runner::person`](cot_runtime::Runner::person); without one, calls fail at
//! once.
//!
//! ```
//! # #![allow(dead_code, reason = "no server is started here")]
//! use cot_core::{LanguageModel, mcp::serve::{ProcessTool, ToolServer}, prelude::*};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Question {
//!     /// The question of the customer.
//!     question: String,
//! }
//!
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Reply {
//!     text: String,
//! }
//!
//! #[derive(Debug, Clone, Serialize, Deserialize)]
//! struct Support {
//!     question: String,
//!     answer: Option<String>,
//! }
//!
//! cot_process! {
//!     process Answer {
//!         state: Support,
//!         task reply -> Reply {
//!             prompt: "Answer the customer: ${state.question}",
//!             update: { answer = Some(output.text) },
//!             next: done,
//!         }
//!         task done { end }
//!     }
//! }
//!
//! async fn serve(model: impl LanguageModel + 'static) -> Result<(), Box<dyn std::error::Error>> {
//!     let runner = Runner::<Answer>::new().model(model);
//!     let tool = ProcessTool::new("answer", "Answers a question of a customer", runner, |question: Question| {
//!         Support { question: question.question, answer: None }
//!     })
//!     .result(|state| state.answer.clone());
//!     ToolServer::new("support", "1.0.0").tool(tool).stdio().await?;
//!     Ok(())
//! }
//! ```

mod call;
mod error;
mod server;
mod tool;

pub use error::ServeError;
pub use server::{HttpService, ToolServer};
pub use tool::ProcessTool;
