//! Fields of outputs that a reply can't have.

use cot_schema::OutputSchema;

use super::tables::{Definition, TaskDefinition};

/// A field of an output whose name marks a transition: a reply that has it would be read as a choice of
/// where to go. The derive refuses such a field where it sees it; it does not see the fields of types that
/// are flattened, transparent, or variants without a name of their own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the output of task `{task}` of `{process}` has the field `{field}` (`{place}` in its schema), which marks \
     a transition in a reply: rename it, as with `#[serde(rename = \"…\")]`, or put its type into a field of its \
     own"
)]
#[non_exhaustive]
pub struct ReservedField {
    /// The process.
    pub process: &'static str,
    /// The task whose output has the field.
    pub task: &'static str,
    /// The field, as it is called in JSON.
    pub field: &'static str,
    /// Where the schema of the output declares it, as a JSON pointer.
    pub place: String,
}

impl ReservedField {
    /// The field of the task's output, if it has one and a model is asked for it.
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
