//! The functions that rows have unless a test gives others.

use std::{fmt, future::ready, sync::Arc};

use cot_engine::{
    Cx, FunctionError, Scope,
    private::{
        self, ChosenTask, CommitView, EachCode, InheritContext, ItemFunction, Mocked, OutputCode,
        OwnedCx, PromptWriter, SubProcess, UntypedOutput,
    },
};
use cot_model::BoxFuture;
use cot_schema::{Issues, OutputSchema};
use serde_json::{Value, json};

use super::process::Plain;

pub(crate) type Template<P> = fn(&Cx<'_, P>, &mut PromptWriter) -> fmt::Result;
pub(crate) type Schema = fn() -> &'static OutputSchema;
pub(crate) type Read<P> = fn(UntypedOutput<'_>, &Cx<'_, P>) -> Result<Value, Issues>;
pub(crate) type Commit<P> =
    fn(&Value, &mut Value, &mut CommitView<'_, P>) -> Result<Option<ChosenTask>, Issues>;
pub(crate) type Mock<P> = fn(&Cx<'_, P>) -> serde_json::Result<Mocked>;
pub(crate) type Function<P> =
    fn(Arc<OwnedCx<P>>) -> BoxFuture<'static, Result<Value, FunctionError>>;

/// Declares a schema as a function that returns it.
macro_rules! schema {
    ($(#[$attribute:meta])* $name:ident: $($json:tt)*) => {
        $(#[$attribute])*
        pub(crate) fn $name() -> &'static cot_schema::OutputSchema {
            static SCHEMA: std::sync::OnceLock<cot_schema::OutputSchema> = std::sync::OnceLock::new();
            SCHEMA.get_or_init(|| {
                cot_schema::OutputSchema::from_json(stringify!($name), serde_json::json!($($json)*))
            })
        }
    };
}

pub(crate) use schema;

/// A template of fixed text.
macro_rules! text {
    ($text:expr) => {
        |_, out| cot_engine::private::write_text(out, $text)
    };
}

pub(crate) use text;

/// The output of most tasks: a text, and a rank of at most 1000.
pub(crate) const NOTE: Schema = note_schema;

schema! {
    note_schema: {
        "type": "object",
        "properties": {
            "text": { "type": "string", "maxLength": 100 },
            "rank": { "type": "integer", "minimum": 0, "maximum": 1000 },
        },
        "required": ["text", "rank"],
    }
}

/// Writes the title of the task: the text that its builder was given.
pub(super) fn title<P: Plain>(cx: &Cx<'_, P>, out: &mut PromptWriter) -> fmt::Result {
    private::write_text(out, cx.task.title)
}

/// An output that becomes the field of the state with the name of its task.
pub(crate) const fn output<P: Plain>() -> OutputCode<P> {
    OutputCode {
        schema: None,
        read: |given, _| private::read(given),
        check: None,
        restore: private::read,
        commit: keep,
        to_json: private::to_json,
    }
}

/// Sets the field of the state with the name of the task.
pub(crate) fn keep<P: Plain>(
    output: &Value,
    state: &mut Value,
    view: &mut CommitView<'_, P>,
) -> Result<Option<ChosenTask>, Issues> {
    state[view.task.name] = output.clone();
    Ok(None)
}

/// Appends to the list of the state with the name of the task.
pub(crate) fn append<P: Plain>(
    output: &Value,
    state: &mut Value,
    view: &mut CommitView<'_, P>,
) -> Result<Option<ChosenTask>, Issues> {
    push(&mut state[view.task.name], output.clone());
    Ok(None)
}

/// Appends to a list, which is created if there is none.
pub(crate) fn push(list: &mut Value, value: Value) {
    match list {
        Value::Array(values) => values.push(value),
        other => *other = json!([value]),
    }
}

/// Reads an output, and checks it.
pub(crate) fn checked(
    given: UntypedOutput<'_>,
    check: impl FnOnce(&Value) -> Result<(), Issues>,
) -> Result<Value, Issues> {
    let output = private::read(given)?;
    check(&output).map(|()| output)
}

/// The function of a task whose test says itself what the function returns.
pub(crate) fn said_by_test<P: Plain>(
    _: Arc<OwnedCx<P>>,
) -> BoxFuture<'static, Result<Value, FunctionError>> {
    Box::pin(ready(Err(FunctionError::new("the test says what the function returns"))))
}

/// The items are those of the list `items` of the state.
pub(super) const fn each_with<P: Plain>(work: ItemFunction<P>) -> EachCode<P> {
    EachCode {
        count: |scope| scope.state["items"].as_array().map_or(0, Vec::len),
        read: |given, _| Ok(json!([private::read::<Value>(given)?])),
        work,
    }
}

/// Returns the inputs of the task.
pub(crate) fn inputs_of<'a, P: Plain>(scope: &Scope<'a, P>) -> &'a Value {
    scope.inputs.and_then(|inputs| inputs.get()).unwrap_or(&Value::Null)
}

/// Returns the item of a for-each task.
pub(crate) fn item<'a, P: Plain>(scope: &Scope<'a, P>) -> &'a Value {
    &scope.state["items"][scope.item.unwrap_or(usize::MAX)]
}

/// Writes the item: the prompt of for-each tasks that ask a model.
pub(super) fn item_text<P: Plain>(cx: &Cx<'_, P>, out: &mut PromptWriter) -> fmt::Result {
    private::write_text(out, item(cx).to_string())
}

/// The sub-process `Q`. It starts with the item, or with the field `start` of the state, and its final state is the
/// output.
pub(super) const fn process_of<P: Plain, Q: Plain + InheritContext<P::Context>>() -> SubProcess<P> {
    SubProcess {
        begin: |cx| {
            let start = if cx.item.is_some() { item(cx) } else { &cx.state["start"] };
            let start = if start.is_null() { json!({}) } else { start.clone() };
            Some(private::begin::<Q, P>(start, cx))
        },
        resume: private::resume::<Q, P>,
        describe: private::describe::<Q>,
        end: private::end::<Q>,
    }
}

/// The same for each item, whose output is a list of one.
pub(super) const fn process_of_item<P: Plain, Q: Plain + InheritContext<P::Context>>()
-> SubProcess<P> {
    SubProcess {
        end: |state| private::end::<Q>(state).map(|state| json!([state])),
        ..process_of::<P, Q>()
    }
}
