//! Starts the functions of tools.

use std::{error::Error, panic::AssertUnwindSafe, sync::Arc};

use cot_engine::{FunctionError, ToolSource};
use cot_model::BoxFuture;
use cot_reader::internal::coerce_output;
use cot_schema::{CotOutput, Issues, internal::deserialize};
use futures_util::FutureExt;
use serde::Serialize;
use serde_json::Value;

use super::definition::ToolSchema;

/// A started call. It resolves to the result, or to the error that is reported to the model.
pub(crate) type ToolCall = BoxFuture<'static, Result<Value, FunctionError>>;

/// Starts a call with its arguments and its key.
pub(super) type StartCall = Arc<dyn Fn(Value, &str) -> Result<ToolCall, Issues> + Send + Sync>;

/// Why a call can't start.
#[derive(Debug)]
pub(crate) enum ToolCallError {
    /// No tool has this name.
    Unknown,
    /// The arguments don't match the schema of the function.
    Arguments(Issues),
}

/// Returns the start of a function with typed arguments.
pub(super) fn typed<T, R, E, F>(run: impl Fn(T) -> F + Send + Sync + 'static) -> StartCall
where
    T: CotOutput,
    R: Serialize,
    E: Error + 'static,
    F: Future<Output = Result<R, E>> + Send + 'static,
{
    let run = Arc::new(run);
    Arc::new(move |arguments, _| {
        let arguments: T = deserialize(&coerce_output(T::output_schema(), arguments)?)?;
        Ok(run_function(Arc::clone(&run), arguments))
    })
}

/// Returns the start of a function that takes JSON.
pub(super) fn untyped<R, E, F>(
    schema: ToolSchema,
    run: impl Fn(Value) -> F + Send + Sync + 'static,
) -> StartCall
where
    R: Serialize,
    E: Error + 'static,
    F: Future<Output = Result<R, E>> + Send + 'static,
{
    let run = Arc::new(run);
    Arc::new(move |arguments, _| {
        Ok(run_function(Arc::clone(&run), coerce_output(&schema, arguments)?))
    })
}

/// Returns the start of a tool of a source.
pub(super) fn sourced(schema: ToolSchema, source: Arc<dyn ToolSource>, name: String) -> StartCall {
    Arc::new(move |arguments, key| {
        let arguments = coerce_output(&schema, arguments)?;
        let (source, name, key) = (Arc::clone(&source), name.clone(), key.to_owned());
        Ok(Box::pin(async move { source.call(&name, arguments, &key).await }))
    })
}

/// Calls a function and turns its result into JSON. A panic becomes an error.
fn run_function<A, R, E, F>(
    run: Arc<impl Fn(A) -> F + Send + Sync + 'static>,
    arguments: A,
) -> ToolCall
where
    A: Send + 'static,
    R: Serialize,
    E: Error + 'static,
    F: Future<Output = Result<R, E>> + Send + 'static,
{
    Box::pin(async move {
        // State that a panicking function leaves inconsistent belongs to the function.
        let ended = AssertUnwindSafe(async { run(arguments).await }).catch_unwind().await;
        to_json(ended.map_err(|panic| FunctionError::from_panic(&*panic))?)
    })
}

fn to_json<R: Serialize, E: Error + 'static>(ended: Result<R, E>) -> Result<Value, FunctionError> {
    let result = ended.map_err(|error| FunctionError::from_error(&error))?;
    serde_json::to_value(result).map_err(FunctionError::done)
}
