//! Functions and traits that generated code calls. They are not covered by semantic versioning.

mod choice;
mod field;
mod function;
mod inputs;
mod keyed;
pub(crate) mod parts;
mod recursion;
pub(crate) mod shown;
mod signatures;
mod state_path;
mod unset;
mod work;

use cot_schema::{CotOutput, Issues, OutputSchema};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::{RawValue, to_raw_value};

pub use crate::{
    process::{
        code::{
            ArmCode, Code, EachCode, InputsCode, OutputCode, Primers, SubProcess, TaskCode,
            TransitionCode, Work,
        },
        list::ProcessList,
        schemas::cache::SchemaCache,
        tables::{
            AiDefinition, Chosen, Definition, EachDefinition, HistoryLimit, OnRoutes,
            RetryDefinition, TaskDefinition, TaskKind, TransitionDefinition, transitions,
        },
        types::ProcessTypes,
    },
    serde_of_task,
    template::writer::{Mark, PromptWriter},
    values::outcome::Ending,
};
pub use choice::{Choice, Processed, to, to_with};
pub use cot_schema::internal::{
    Bounded, Checker, FieldRule, Given, Part, PlainPart, PlainType, Rules, Type, VariantRule,
};
pub use field::{Field, FieldType};
pub use function::{
    AsyncCheckFunction, CheckFunction, ProcessFunction, Verdict, checked, chosen, judged, processed,
};
pub use inputs::{TaskInputs, inputs, no_inputs};
pub use keyed::{Keyed, KeyedCreate, at, at_or_default, key_at, value_at};
pub use parts::{own_part, standard_part};
pub use recursion::check_runs_end;
pub use serde;
pub use serde_json::Value;
pub use shown::{
    Show, TemplateSource, json, json_pretty, list, part, quoted, show, show_json, show_json_pretty,
    write_source, write_text,
};
pub use signatures::{MockFunction, Pass, RunFunction, answered, begun};
pub use state_path::{
    append, appended, assign, assigned, insert, inserted, key_of, or_default, runs_code,
};
pub use unset::{absent, first_unwritten, needed, set, value_in};
pub use work::{
    BeginFrom, CodeFailure, FunctionOutput, MockAnswer, OutputOf, PlainOutput, begin, begin_from,
    count, describe, end, mocked, nth, ran, resume, unmockable,
};

/// Returns the schema of an output type.
#[must_use]
pub fn schema_of<T: CotOutput>() -> &'static OutputSchema {
    T::output_schema()
}

/// Deserializes an output that matches its schema.
///
/// # Errors
///
/// Issues at the paths where the value does not deserialize.
pub fn read<T: DeserializeOwned>(given: Given<'_>) -> Result<T, Issues> {
    given.read()
}

/// Serializes an output to JSON text.
///
/// # Errors
///
/// If the output does not serialize.
pub fn to_json<T: Serialize>(output: &T) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(output)
}

/// Implements `Serialize` for an enum of tasks, by name.
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
