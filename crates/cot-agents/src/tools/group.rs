//! The tools of a set that have the same effect and the same need for approval, as a source.

use std::{fmt, sync::Arc};

use cot_engine::{FunctionError, SourceTool, ToolSource};
use cot_model::BoxFuture;
use serde_json::Value;

use super::{limits::CallLimits, tool::Tool};

/// The tools of a [`ToolSet`](super::ToolSet) that have the same effect and the same need for approval.
///
/// A process that declares a group as a source sets the effect and the approval there. The groups that it
/// leaves out are not offered.
///
/// ```
/// use std::convert::Infallible;
///
/// use cot_core::{
///     model::{ModelReply, ScriptedModel, ToolCall},
///     prelude::*,
///     tools::{Tool, ToolSet},
/// };
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// struct Mail {
///     text: String,
/// }
///
/// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// struct Report {
///     text: String,
/// }
///
/// async fn send(mail: Mail) -> Result<usize, Infallible> {
///     Ok(mail.text.len())
/// }
///
/// cot_process! {
///     process Clerk {
///         state: { input wish: String, report: String = String::new() },
///         context: ToolSet,
///         tools: {
///             tools: source app.repeatable() { only: all },
///             tools_made_once: source app.once() { only: all, effect: once },
///         },
///         task serve -> Report {
///             prompt: "${quoted(&state.wish)}",
///             tools: [tools, tools_made_once],
///             update: { report = output.text },
///             on: { interrupted => unknown },
///             next: done,
///         }
///         task unknown { fail: "it is not known whether a tool had its effect" }
///         task done { end }
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let model = ScriptedModel::new([
///     ModelReply::calling([ToolCall::new("send", json!({ "text": "Hello" }))]),
///     json!({ "text": "It is sent." }).into(),
/// ]);
/// let tools = ToolSet::new().add(Tool::new("send", "Sends a mail", send).once());
/// let run = Clerk::runner(tools).model(model).run(ClerkState::new("Greet Ada".to_owned())).await?;
/// assert_eq!(run.state.report, "It is sent.");
/// # Ok::<(), RunError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct ToolGroup {
    listed: Vec<SourceTool>,
    tools: Vec<Arc<Tool>>,
    pub(super) limits: CallLimits,
}

impl ToolGroup {
    pub(super) fn add(&mut self, tool: Arc<Tool>) {
        let json = tool.schema.json().clone();
        self.listed.push(SourceTool::new(&*tool.name, &*tool.description, json));
        self.tools.push(tool);
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.listed.retain(|tool| tool.name() != name);
        self.tools.retain(|tool| tool.name != name);
    }
}

impl ToolSource for ToolGroup {
    fn tools(&self) -> &[SourceTool] {
        &self.listed
    }

    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>> {
        Box::pin(async move {
            let Some(tool) = self.tools.iter().find(|listed| listed.name == tool) else {
                return Err(FunctionError::not_done("there is no such tool"));
            };
            self.limits.perform(tool, arguments, key).await
        })
    }
}

impl fmt::Debug for ToolGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|tool| tool.name())).finish()
    }
}
