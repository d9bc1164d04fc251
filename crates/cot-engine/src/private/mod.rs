//! Functions and traits that generated code calls. They are not covered by semantic versioning.

mod at_most;
mod calls;
mod choice;
mod const_text;
mod conversation;
mod found_in;
mod function;
mod inputs;
mod media;
pub(crate) mod parts;
mod passing;
mod reading;
mod recursion;
pub(crate) mod shown;
mod signatures;
mod state_path;
pub(crate) mod tool;
mod transaction;
mod unset;
mod work;

use cot_schema::{CotOutput, Issues, OutputSchema};
use serde::de::DeserializeOwned;

pub use crate::{
    process::{
        bounds::{AtMost, Bounded, BoundsDefinition},
        code::{
            ArmCode, ConversationCode, EachCode, InputsCode, ItemFunction, OutputCode, ProcessCode,
            SubProcess, TaskCode, TaskFunction, TransitionCode,
        },
        commit::CommitView,
        context::{InheritContext, NoContext, OwnedCx},
        effect::Effect,
        kinds::{
            group::{Collect, Join},
            settings::{SettingsDefinition, ShownMedia},
        },
        list::ProcessList,
        mock::Mocked,
        process::BoundsDepth,
        reading::{code::ReplyCode, format::ReplyFormat},
        retry::RetryDefinition,
        schemas::cache::SchemaCache,
        tables::{
            AiDefinition, CallsDefinition, ChosenTask, Definition, EachDefinition, EachWork,
            HistoryLimit, OnRoutes, ParallelDefinition, TaskDefinition, TaskKind,
            TransitionDefinition, transitions,
        },
        texts::{Primer, ProcessTexts, TaskTexts, TextFacts},
        tool::{
            code::{ToolCode, ToolFunctionCode, ToolWork},
            definition::{ToolDefinition, ToolHistory, ToolSelection, ToolUses, ToolsDefinition},
            source::ToolSource,
        },
        trust::{TaskTrust, TrustDefinition, UntrustedHistory},
        types::ProcessTypes,
    },
    serde_of_task,
    values::outcome::Ending,
};
pub use at_most::{check_at_most, worst_case};
pub use calls::{CallsOutput, GivenToolCall, ToolCalls, require_tool_round, tool_calls};
pub use choice::{Choice, ProcessOutputResult, to, to_with};
pub use conversation::{ExamplesFunction, Turns, call_examples, turns};
pub use cot_bounds::{Bound, Limits, Quantity, WorstCase};
pub use cot_model::{Effort, PartName, Stability};
pub use cot_reader::internal::{FoundValue, PassageFinder, SourceText, look_up};
pub use cot_schema::internal::{
    AnyResult, Assigned, Checker, Closed, Closedness, Field, FieldRule, FieldType, Keyed,
    KeyedCreate, MaybeOpen, MemberClosedness, NonOutputPart, NonOutputType, OutputPart, OutputType,
    PlainValue, RangeChecked, ResultType, RulesCollector, TakesOption, UntypedOutput, VariantRule,
    key_at, value_at, value_at_key, value_at_key_or_default,
};
pub use cot_template::{Mark, PromptWriter};
pub use found_in::{check_passages, record_passages, tool_results};
pub use function::{
    AsyncCheckFunction, CheckFunction, ProcessFunction, Verdict, call_async_check, call_check,
    call_choosing_process_output, call_process_output,
};
pub use inputs::{TaskInputs, inputs, missing_inputs_error, missing_item_error};
pub use media::{
    IntoMedia, ShowMedia, show_document_value, show_documents, show_image_value, show_images,
};
pub use parts::{own_part, standard_part};
pub use passing::passes_unmarked;
pub use reading::{
    IntoReplySchema, IsEnd, ReadFunction, SchemaFunction, UntilFunction, read_reply, reply_schema,
    watch_reply,
};
pub use recursion::check_runs_end;
pub use serde;
pub use serde_json::{Value, value::to_raw_value as to_json};
pub use shown::{
    Show, ShowJson, TemplateSource, json, json_pretty, list, part, quoted, show, show_json,
    show_json_pretty, write_source, write_text,
};
pub use signatures::{MockFunction, Pass, RunFunction, call_mock, start_function};
pub use state_path::{
    append, appended_type, assign, assigned_type, insert, inserted_key_type, inserted_type,
    runs_code, value_or_default,
};
pub use tool::{
    ToolArguments, ToolFunction, ToolMockFunction, call_tool, call_tool_mock, check_tool_arguments,
    finish_tool, has_arguments, has_open_arguments, tool_arguments, tool_schema,
    unusable_arguments, unusable_mock_arguments,
};
pub use transaction::{
    NamesConnection, NamesNoConnection, Taker, TakesConnection, TransactFunction,
    finish_transaction, start_in_transaction,
};
pub use unset::{first_unwritten, missing_value_error, require_set, value_slot, value_type};
pub use work::{
    BeginFrom, FunctionOutput, IntoFunctionError, MockAnswer, OutputOf, PlainOutput, begin,
    begin_with, count, describe, encode_mock, end, finish_function, mock_error, nth, resume,
    resume_with, start_from,
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
pub fn read<T: DeserializeOwned>(given: UntypedOutput<'_>) -> Result<T, Issues> {
    given.deserialize()
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
