//! Sets of tools: functions with typed arguments and results that a model can call.
//!
//! A [`ToolSet`] is built while the program runs, and [`ChainOfThought`](crate::plan_execute::ChainOfThought)
//! and [sessions](crate::task_session) take one. A process of your own can use one too: the set is a
//! [source](cot_engine::ToolSource) in its context, whose tools have their own effects and approvals.
//!
//! ```
//! use std::{convert::Infallible, time::Duration};
//!
//! use cot_core::{
//!     model::{ModelReply, ScriptedModel, ToolCall},
//!     prelude::*,
//!     tools::{Tool, ToolSet},
//! };
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Mail {
//!     text: String,
//! }
//!
//! async fn send(mail: Mail) -> Result<usize, Infallible> {
//!     Ok(mail.text.len())
//! }
//!
//! struct App {
//!     tools: ToolSet,
//! }
//!
//! cot_process! {
//!     process Clerk {
//!         state: { input wish: String, report: Mail },
//!         context: App,
//!         tools: { tools: source app.tools { only: all } },
//!         task serve -> Mail {
//!             prompt: "${quoted(&state.wish)}",
//!             tools: [tools],
//!             update: report,
//!             on: { interrupted => unknown },
//!             next: done,
//!         }
//!         task unknown { fail: "it is not known whether a tool had its effect" }
//!         task done { end }
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let model = ScriptedModel::new([
//!     ModelReply::calling([ToolCall::new("send", json!({ "text": "Hello" }))]),
//!     json!({ "text": "It is sent." }).into(),
//! ]);
//! let send = Tool::new("send", "Sends a mail", send).once();
//! let tools = ToolSet::new().add(send).timeout(Duration::from_secs(10));
//! let run = Clerk::runner(App { tools }).model(model).run(ClerkState::new("Greet Ada".to_owned())).await?;
//! assert_eq!(run.state.report.unwrap().text, "It is sent.");
//! # Ok::<(), RunError>(())
//! # }).unwrap();
//! ```

mod definition;
mod function;
mod limits;
mod set;
mod tool;

pub use definition::ToolDefinitionError;
pub use set::ToolSet;
pub use tool::Tool;

pub(crate) use limits::MAX_ARGUMENT_BYTES;
