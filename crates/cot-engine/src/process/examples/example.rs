//! Examples of tasks.

use serde::Serialize;
use serde_json::Value;

/// An example of a task: an input, and the output for it.
///
/// Examples are returned by the function that the item `examples` of a task names. A request contains each as a
/// message of the user and the reply of the model, before the prompt. Each output is checked like a reply of a
/// model before the first call of a run.
///
/// ```
/// use cot_core::{Example, prelude::*};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
/// pub struct Mood {
///     #[schemars(range(min = -5, max = 5))]
///     pub score: i8,
/// }
///
/// cot_process! {
///     process Judge {
///         state: Vec<String>,
///         task judge -> Mood {
///             for_each: letter in state.iter(),
///             prompt: "${quoted(letter)}",
///             examples: moods,
///             next: done,
///         }
///         task done { end }
///     }
/// }
///
/// fn moods() -> Vec<Example<Mood>> {
///     vec![
///         Example::new("Thank you so much!", Mood { score: 5 }),
///         Example::new("It works.", Mood { score: 1 }),
///     ]
/// }
/// # let _ = Judge::runner();
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Example<O> {
    /// The text of the input, or the reason for which it can't be written.
    input: Result<String, String>,
    output: O,
}

impl<O> Example<O> {
    /// Creates an example. An input that is a text is sent as it is, another value as JSON.
    #[must_use]
    pub fn new(input: impl Serialize, output: O) -> Self {
        let input = match serde_json::to_value(input) {
            Ok(Value::String(text)) => Ok(text),
            Ok(value) => Ok(value.to_string()),
            Err(error) => Err(error.to_string()),
        };
        Self { input, output }
    }
}

/// An example without the type of its output.
#[derive(Debug)]
pub struct ExampleData {
    pub(super) input: Result<String, String>,
    pub(super) output: serde_json::Result<Value>,
}

impl<O: Serialize> From<Example<O>> for ExampleData {
    fn from(Example { input, output }: Example<O>) -> Self {
        Self { input, output: serde_json::to_value(output) }
    }
}
