//! What generated code calls. Not for people: it may change at any time.

mod shown;
mod state_path;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{CotOutput, Issues, OutputSchema};

pub use crate::{
    blueprint::{
        AiDefinition, Code, Definition, HistoryLimit, OutputCode, Primers, SchemaCache, TaskCode,
        TaskDefinition, TaskKind, TransitionCode,
    },
    outcome::Ending,
    prompt::{Mark, PromptWriter, own_part, standard_part},
    serde_of_task,
};
pub use serde;
pub use shown::{Show, json, json_pretty, list, part, quoted, show, write_text};
pub use state_path::{append, appended, assigned, insert, inserted, key_of, or_default};

/// The schema of an output.
#[must_use]
pub fn schema_of<T: CotOutput>() -> &'static OutputSchema {
    T::output_schema()
}

/// Reads a value that fits its schema.
///
/// # Errors
///
/// Issues at the places where the value does not fit the type.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, Issues> {
    crate::output::deserialize(&value)
}

/// An output as JSON text.
///
/// # Errors
///
/// The type's own, when it does not serialize.
pub fn to_json<T: Serialize>(output: &T) -> serde_json::Result<String> {
    serde_json::to_string(output)
}

/// An enum of the tasks that a `process_output` may choose.
pub trait Choice {
    /// Its position in the declaration.
    fn task(self) -> usize;
}

/// What a `process_output` function returns.
#[diagnostic::on_unimplemented(
    message = "a `process_output` function can't return `{Self}`",
    label = "returns `{Self}`",
    note = "it returns `{T}`, or a `Result<{T}, Issues>`"
)]
pub trait Processed<T> {
    /// The result in one form.
    fn into_result(self) -> Result<T, Issues>;
}

#[diagnostic::do_not_recommend]
impl<T> Processed<T> for T {
    fn into_result(self) -> Result<T, Issues> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Processed<T> for Result<T, Issues> {
    fn into_result(self) -> Self {
        self
    }
}

/// The result of a `process_output` that chooses nothing.
///
/// # Errors
///
/// The issues that the function returned.
pub fn processed<R: Processed<()>>(result: R) -> Result<Option<usize>, Issues> {
    result.into_result().map(|()| None)
}

/// The result of a `process_output` that chooses where to go.
///
/// # Errors
///
/// The issues that the function returned.
pub fn chosen<C: Choice, R: Processed<C>>(result: R) -> Result<Option<usize>, Issues> {
    result.into_result().map(|choice| Some(choice.task()))
}

/// Lets an enum of tasks be written and read by name.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_of_task {
    ($task:ident) => {
        #[automatically_derived]
        impl $crate::__private::serde::Serialize for $task {
            fn serialize<S: $crate::__private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::TaskId::name(*self))
            }
        }
    };
}
