//! Synthetic answers.

use cot_reader::Reasoning;
use cot_schema::OutputSchema;
use serde::{Deserialize, Serialize, ser::Error as _};
use serde_json::{Value, json, value::RawValue};

use super::types::TaskId;

/// What a `mock` function answers in the place of a model, a person or a function.
///
/// An output converts into it, and is checked like a real one.
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
    /// The choice of a transition.
    #[must_use]
    pub fn go(task: impl TaskId) -> Self {
        Self::json(json!({ "intent": "mocked", "goTo": task.name(), "stepAfter": "mocked" }))
    }

    /// The choice of a transition for which the model supplies the inputs. Inputs that can't be JSON
    /// are `null`.
    #[must_use]
    pub fn go_with(task: impl TaskId, inputs: impl Serialize) -> Self {
        let mut reply = Self::go(task);
        if let Kind::Json(members) = &mut reply.0 {
            members["inputs"] = serde_json::to_value(inputs).unwrap_or_default();
        }
        reply
    }

    /// A reply as a model would give it.
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

/// What a `mock` function answered, without its type.
#[derive(Debug)]
pub enum Mocked {
    /// The output itself.
    Output(Value),
    /// A reply as a model would give it.
    Reply(Value),
}

impl Mocked {
    /// The answer of a `mock` function of a task with the output `O`.
    ///
    /// # Errors
    ///
    /// When the output can't be JSON.
    pub fn of<O: Serialize>(answer: impl Into<Reply<O>>) -> serde_json::Result<Self> {
        Ok(match answer.into().0 {
            Kind::Output(output) => Self::Output(serde_json::to_value(output)?),
            Kind::Json(reply) => Self::Reply(reply),
        })
    }

    /// What stands for the answer: of a task that asks, the reply as it would come.
    pub(crate) fn into_answer(
        self,
        schema: Option<&OutputSchema>,
        reasons: bool,
    ) -> serde_json::Result<Value> {
        match (self, schema) {
            (Self::Output(output), _) if reasons => {
                Reasoning::deserialize(output).map(|output| output.to_text().into())
            }
            (Self::Output(output), Some(schema)) => Ok(schema.wrap(output)),
            (Self::Output(value) | Self::Reply(value), _) => Ok(value),
        }
    }

    /// The answer of a process's `mock` for one task, which writes its own variant of the outputs as JSON.
    /// Each item of a for-each task takes its own from the list.
    pub(crate) fn of_process<O>(
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
