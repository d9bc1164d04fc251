//! Answers of mocks.

use cot_reader::Reasoning;
use cot_schema::OutputSchema;
use serde::{Deserialize, Serialize, ser::Error as _};
use serde_json::{Value, json, value::RawValue};

use super::{reading::format::ReplyFormat, types::TaskId};

/// The answer of a `mock` function, in place of a model, a person or a function.
///
/// Outputs convert into it. The answer is checked like a real one.
///
/// ```
/// use cot_core::Reply;
/// use serde_json::json;
///
/// let output: Reply<u32> = 3.into();
/// let raw: Reply<u32> = Reply::json(json!({ "value": 3 }));
/// # let _ = (output, raw);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reply<O>(Kind<O>);

#[derive(Debug, Clone, PartialEq)]
enum Kind<O> {
    Output(O),
    Json(Value),
}

impl<O> Reply<O> {
    /// Creates the choice of a transition.
    #[must_use]
    pub fn go(task: impl TaskId) -> Self {
        Self::json(json!({ "intent": "mocked", "goTo": task.name(), "stepAfter": "mocked" }))
    }

    /// Creates the choice of a transition with inputs that a model would provide. Inputs that do not
    /// serialize become `null`.
    #[must_use]
    pub fn go_with(task: impl TaskId, inputs: impl Serialize) -> Self {
        let mut reply = Self::go(task);
        if let Kind::Json(members) = &mut reply.0 {
            members["inputs"] = serde_json::to_value(inputs).unwrap_or_default();
        }
        reply
    }

    /// Creates a reply in the form that a model would give. In a task with `read`, a string is the text of the reply.
    #[must_use]
    pub const fn json(reply: Value) -> Self {
        Self(Kind::Json(reply))
    }
}

impl<O> From<O> for Reply<O> {
    fn from(output: O) -> Self {
        Self(Kind::Output(output))
    }
}

/// The answer of a mock in place of a model whose replies the program reads itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OwnAnswer {
    /// The output, which is not read from a reply.
    Output(Value),
    /// The text of a reply.
    Text(String),
}

impl OwnAnswer {
    fn from_mocked(answer: Mocked) -> Self {
        match answer {
            Mocked::Output(output) => Self::Output(output),
            Mocked::Reply(Value::String(text)) => Self::Text(text),
            Mocked::Reply(json) => Self::Text(json.to_string()),
        }
    }

    /// Returns the output or the text as JSON, and whether it is the text.
    pub(crate) fn into_parts(self) -> (Value, bool) {
        match self {
            Self::Output(output) => (output, false),
            Self::Text(text) => (text.into(), true),
        }
    }
}

/// The answer of a `mock` function, without its type.
#[derive(Debug)]
pub enum Mocked {
    /// An output.
    Output(Value),
    /// A reply in the form that a model would give.
    Reply(Value),
}

impl Mocked {
    /// Creates the answer from the result of a `mock` function of a task with output `O`.
    ///
    /// # Errors
    ///
    /// If the output does not serialize to JSON.
    pub fn from_reply<O: Serialize>(answer: impl Into<Reply<O>>) -> serde_json::Result<Self> {
        Ok(match answer.into().0 {
            Kind::Output(output) => Self::Output(serde_json::to_value(output)?),
            Kind::Json(reply) => Self::Reply(reply),
        })
    }

    /// Returns the answer as the driver would receive it: for a task with a schema, as a reply.
    pub(crate) fn into_answer(
        self,
        schema: Option<&OutputSchema>,
        format: Option<ReplyFormat>,
    ) -> serde_json::Result<Value> {
        match (self, schema) {
            (answer, _) if format.is_some_and(|format| format.reader().is_some()) => {
                serde_json::to_value(OwnAnswer::from_mocked(answer))
            }
            (Self::Output(output), _) if format.is_some_and(ReplyFormat::is_reasoning) => {
                Reasoning::deserialize(output).map(|output| output.to_text().into())
            }
            (Self::Output(output), Some(schema)) => Ok(schema.wrap(output)),
            (Self::Output(value) | Self::Reply(value), _) => Ok(value),
        }
    }

    /// Creates the answer of a task from the `mock` of the process, which returns the enum of all outputs.
    /// For a for-each task, takes the output of one item from the list.
    pub(crate) fn from_process_reply<O>(
        answer: Reply<O>,
        to_json: impl FnOnce(&O) -> Option<serde_json::Result<Box<RawValue>>>,
        item: Option<usize>,
    ) -> serde_json::Result<Self> {
        let output = match answer.0 {
            Kind::Json(reply) => return Ok(Self::Reply(reply)),
            Kind::Output(output) => output,
        };
        let json = to_json(&output).ok_or_else(|| {
            serde_json::Error::custom("the `mock` of the process gave the output of another task")
        })?;
        let mut value: Value = serde_json::from_str(json?.get())?;
        if let Some(item) = item {
            let list = value.as_array_mut().filter(|list| item < list.len());
            let list = list.ok_or_else(|| {
                serde_json::Error::custom(format!("the `mock` of the process has no item {item}"))
            })?;
            value = list.swap_remove(item);
        }
        Ok(Self::Output(value))
    }
}
