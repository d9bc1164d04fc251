//! Starts the functions of tools.

use std::{error::Error, panic::AssertUnwindSafe, sync::Arc};

use cot_engine::{FunctionError, ToolSource};
use cot_model::BoxFuture;
use cot_schema::{Issues, internal::deserialize};
use futures_util::FutureExt;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A started call. It resolves to the result, or to the error that is reported to the model.
pub(crate) type ToolCall = BoxFuture<'static, Result<Value, FunctionError>>;

/// Starts a call with arguments that match the schema, and with its key.
pub(super) type StartCall = Arc<dyn Fn(Value, &str) -> Result<ToolCall, Issues> + Send + Sync>;

/// Returns the start of a function. A panic of it becomes an error.
pub(super) fn typed<T, R, E, F>(run: impl Fn(T) -> F + Send + Sync + 'static) -> StartCall
where
    T: DeserializeOwned + Send + 'static,
    R: Serialize,
    E: Error + 'static,
    F: Future<Output = Result<R, E>> + Send + 'static,
{
    let run = Arc::new(run);
    Arc::new(move |arguments, _| {
        let (arguments, run): (T, _) = (deserialize(&arguments)?, Arc::clone(&run));
        Ok(Box::pin(async move {
            // State that a panicking function leaves inconsistent belongs to the function.
            let ended = AssertUnwindSafe(async { run(arguments).await }).catch_unwind().await;
            to_json(ended.map_err(|panic| FunctionError::from_panic(&*panic))?)
        }))
    })
}

/// Returns the start of a tool of a source.
pub(super) fn sourced(source: Arc<dyn ToolSource>, name: String) -> StartCall {
    Arc::new(move |arguments, key| {
        let (source, name, key) = (Arc::clone(&source), name.clone(), key.to_owned());
        Ok(Box::pin(async move { source.call(&name, arguments, &key).await }))
    })
}

fn to_json<R: Serialize, E: Error + 'static>(ended: Result<R, E>) -> Result<Value, FunctionError> {
    let result = ended.map_err(|error| FunctionError::from_error(&error))?;
    serde_json::to_value(result).map_err(FunctionError::done)
}
