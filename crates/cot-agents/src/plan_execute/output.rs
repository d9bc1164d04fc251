//! The output of the tasks that ask a model.

use std::borrow::Cow;

use cot_macros::CotOutput;
use cot_model::{FinishReason, ModelReply, ToolCall};
use cot_schema::Issues;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    action::Action, context::Ending, node::read, reply::ExecuteReply, todo::list::TodoList,
    tool::read_json,
};

/// A reply of a stage in a run: the members of its JSON, and what was found in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(crate = crate::core)]
#[schemars(description = "The reply of a stage.")]
#[non_exhaustive]
pub struct StageReply {
    /// The task of the step.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub current: String,
    /// The result of the task.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub result: String,
    /// The tasks as the model wrote them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub todos: String,
    /// The requested action.
    pub action: Action,
    /// The arguments, if the action is a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// The answer in the reply.
    #[serde(default, rename = "final", skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The calls of tools beside that of `action`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub further_calls: Vec<ToolCall>,
    /// Why the reply is unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub issues: Option<Issues>,
}

impl StageReply {
    /// Reads a reply, with the calls of tools that it contains as text or natively. An unreadable reply has
    /// issues. `template` is the prompt of the stage.
    ///
    /// # Errors
    ///
    /// Fails if the token limit cut off the reply.
    pub(super) fn read(
        reply: &ModelReply,
        tools: &[String],
        template: &str,
    ) -> Result<Self, Issues> {
        if reply.finish == FinishReason::Stop && !reply.tool_calls.is_empty() {
            return Ok(Self::calling(reply, tools));
        }
        match read(reply, Some(tools), template) {
            Ok(read) => Ok(read.into()),
            Err(Ending::Unreadable(issues)) => Ok(issues.into()),
            Err(_) => Err(Issues::at("$", "the reply was cut off")),
        }
    }

    /// Reads a reply with native calls. The text beside them may be a reply in JSON.
    fn calling(reply: &ModelReply, tools: &[String]) -> Self {
        let beside = ExecuteReply::read_with(&reply.text, Some(tools)).map(Self::from);
        let mut read = beside.unwrap_or_else(|_| Self::new(Action::Continue));
        let mut calls = reply.tool_calls.iter().cloned();
        if let Some(first) = calls.next() {
            read.arguments = Some(read_json(&first.arguments));
            read.action = Action::Tool(first.name);
        }
        read.further_calls = calls.collect();
        read
    }

    const fn new(action: Action) -> Self {
        Self {
            current: String::new(),
            result: String::new(),
            todos: String::new(),
            action,
            arguments: None,
            answer: None,
            further_calls: Vec::new(),
            issues: None,
        }
    }

    /// Returns the reply in the form that a context applies.
    pub(super) fn to_reply(&self) -> ExecuteReply {
        let Self { current, result, todos, action, arguments, answer, .. } = self.clone();
        ExecuteReply {
            current,
            result,
            todos: TodoList::parse(&todos),
            todos_text: todos,
            action,
            arguments,
            answer,
        }
    }
}

impl From<ExecuteReply> for StageReply {
    fn from(reply: ExecuteReply) -> Self {
        let ExecuteReply { current, result, todos_text: todos, action, arguments, answer, .. } =
            reply;
        Self { current, result, todos, arguments, answer, ..Self::new(action) }
    }
}

impl From<Issues> for StageReply {
    fn from(issues: Issues) -> Self {
        Self { issues: Some(issues), ..Self::new(Action::Continue) }
    }
}

impl JsonSchema for Action {
    fn schema_name() -> Cow<'static, str> {
        "Action".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`continue`, `stop`, or the name of a tool.",
            "anyOf": [{ "type": "string", "enum": ["continue", "stop"] }, { "type": "string" }],
        })
    }
}
