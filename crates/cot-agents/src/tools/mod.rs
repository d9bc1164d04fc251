//! Sets of tools: functions with typed arguments and results that a model can call.
//!
//! A [`ToolSet`] is built while the program runs, and [`ChainOfThought`](crate::plan_execute::ChainOfThought)
//! and [sessions](crate::task_session) take one. A process of your own can use one too: a context that
//! contains the set has up to four sources of tools, one for each combination of effect and approval.
//!
//! ```
//! use std::{convert::Infallible, time::Duration};
//!
//! use cot_core::{
//!     CotOutput,
//!     tools::{Tool, ToolSet},
//! };
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
//! struct Mail {
//!     to: String,
//!     text: String,
//! }
//!
//! async fn send(mail: Mail) -> Result<String, Infallible> {
//!     Ok(format!("sent to {}", mail.to))
//! }
//!
//! async fn draft(mail: Mail) -> Result<usize, Infallible> {
//!     Ok(mail.text.len())
//! }
//!
//! let tools = ToolSet::new()
//!     .tool("draft", "Returns the length of a mail", draft)
//!     .add(Tool::new("send", "Sends a mail", send).once().approved())
//!     .timeout(Duration::from_secs(10));
//! assert_eq!(tools.iter().map(Tool::name).collect::<Vec<_>>(), ["draft", "send"]);
//! ```

mod definition;
mod function;
mod group;
mod limits;
mod set;
mod tool;

pub use definition::ToolDefinitionError;
pub use group::ToolGroup;
pub use set::ToolSet;
pub use tool::Tool;

pub(crate) use function::ToolCallError;
pub(crate) use limits::MAX_ARGUMENT_BYTES;
