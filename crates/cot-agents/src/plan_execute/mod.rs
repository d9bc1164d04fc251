//! Plan and execute: a model breaks a question into a todo list and works through it step by step.
//!
//! [`ChainOfThought`] asks [`Plan`] once and then [`Execute`] repeatedly, until the model replies *stop*. In
//! between, the model can call [tools](ChainOfThought::tools), which are functions with typed arguments. The
//! complete state of a run is its [`Context`]. A run is one of the process [`PlanExecute`], and can be
//! [stored](ChainOfThought::configure).
//!
//! ```
//! use std::sync::Arc;
//!
//! use cot_core::{
//!     model::ScriptedModel,
//!     plan_execute::{ChainOfThought, Context, Execute, Plan},
//! };
//! use serde_json::json;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let model = Arc::new(ScriptedModel::new([
//!     json!({ "todos": "- [ ] add\n- [ ] double", "action": "continue" }),
//!     json!({ "current": "add", "result": "22", "todos": "- [x] add\n- [ ] double", "action": "continue" }),
//!     json!({
//!         "current": "double", "result": "44", "todos": "- [x] add\n- [x] double",
//!         "action": "stop", "final": "It is 44.",
//!     }),
//! ]));
//! let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
//! let mut context = Context::new("What is (17 + 5) * 2?");
//! chain.run(&mut context).await?;
//! assert_eq!(context.answer.as_deref(), Some("It is 44."));
//! assert!(context.todos.is_done());
//! # Ok::<(), cot_core::plan_execute::ChainError>(())
//! # }).unwrap();
//! ```

mod action;
mod chain;
mod context;
mod ending;
mod error;
mod format;
mod node;
mod process;
mod progress;
mod prompt;
mod reply;
mod run;
mod settings;
mod text;
mod todo;
mod tool;
mod window;
mod work;

pub use action::Action;
pub use chain::ChainOfThought;
pub use context::Context;
pub use ending::Ending;
pub use error::{ChainError, SharedRunError};
pub use node::{Execute, Llm, Node, Plan, Stage};
pub use process::{PlanExecute, PlanExecuteOutcome, PlanExecuteOutput, PlanExecuteTask};
pub use progress::Progress;
pub use reply::StageReply;
pub use settings::{ChainLimits, ChainSettings};
pub use todo::{Todo, TodoList};
pub use work::Work;
