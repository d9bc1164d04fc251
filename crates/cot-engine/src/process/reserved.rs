//! Reserved field names of outputs.

use cot_schema::OutputSchema;

use super::tables::{Definition, TaskDefinition};

/// The error for an output field whose name has another meaning in a reply.
///
/// In every output, the names of a transition are reserved: a reply with such a field would be read as a
/// transition. The derive rejects such a field where it sees it. It does not see the fields of types that are
/// flattened, transparent, or unnamed variants. In the output of a task with tools, the fields `tool` and
/// `arguments` together are reserved: a reply with both would be read as a tool call.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the output of task `{task}` of `{process}` has the field `{field}` (`{place}` in its schema), which marks \
     {meaning} in a reply: rename it, as with `#[serde(rename = \"…\")]`, or put its type into a field of its \
     own"
)]
#[non_exhaustive]
pub struct ReservedFieldError {
    /// The process.
    pub process: &'static str,
    /// The task whose output type has the field.
    pub task: &'static str,
    /// The name of the field in JSON.
    pub field: &'static str,
    /// The location in the schema, as a JSON pointer.
    pub place: String,
    /// What the field marks in a reply: `a transition`, or `a tool call`.
    meaning: &'static str,
}

impl ReservedFieldError {
    /// Returns a reserved field of the task's output, if the task asks a model.
    #[doc(hidden)]
    pub fn find(
        definition: &'static Definition,
        task: &TaskDefinition,
        schema: Option<&OutputSchema>,
    ) -> Option<Self> {
        let ai = task.kind.ai().filter(|ai| !ai.format.is_text())?;
        let schema = schema?;
        let (field, place, meaning) = match schema.reserved() {
            Some(key) => (key.name, key.place.clone(), "a transition"),
            None if !ai.tools.tools.is_empty() && looks_like_call(schema) => {
                ("tool", "/properties/tool".to_owned(), "a tool call")
            }
            None => return None,
        };
        let (process, task) = (definition.about.name, task.about.name);
        Some(Self { process, task, field, place, meaning })
    }
}

/// Returns whether outputs have the members of a tool call.
fn looks_like_call(schema: &OutputSchema) -> bool {
    let properties = schema.json().get("properties");
    ["tool", "arguments"].iter().all(|key| properties.is_some_and(|it| it.get(key).is_some()))
}
