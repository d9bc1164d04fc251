//! Reserved field names of outputs.

use cot_schema::OutputSchema;

use super::tables::{Definition, TaskDefinition};

/// The error for an output field whose name marks a transition: a reply with the field would be read as a
/// transition. The derive rejects such a field where it sees it. It does not see the fields of types that are
/// flattened, transparent, or unnamed variants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the output of task `{task}` of `{process}` has the field `{field}` (`{place}` in its schema), which marks \
     a transition in a reply: rename it, as with `#[serde(rename = \"…\")]`, or put its type into a field of its \
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
}

impl ReservedFieldError {
    /// Returns a reserved field of the task's output, if the task asks a model.
    #[doc(hidden)]
    pub fn find(
        definition: &'static Definition,
        task: &TaskDefinition,
        schema: Option<&OutputSchema>,
    ) -> Option<Self> {
        task.kind.ai().filter(|ai| !ai.reasons)?;
        let key = schema?.reserved()?;
        Some(Self {
            process: definition.about.name,
            task: task.about.name,
            field: key.name,
            place: key.place.clone(),
        })
    }
}
