//! Functions that a model can call, with arguments and results that are types.

use std::{error::Error, fmt, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use serde::Serialize;
use serde_json::Value;

use crate::{CodeError, CotOutput, Issues, OutputSchema, model::BoxFuture, output};

/// A call that has begun, and what it comes to: the result, or why there is none, as the model is told.
pub(crate) type ToolCall = BoxFuture<'static, Result<Value, CodeError>>;

/// Tools in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Tools(Vec<Tool>);

#[derive(Clone)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: &'static OutputSchema,
    begin: Arc<dyn Fn(Value) -> Result<ToolCall, Issues> + Send + Sync>,
}

/// Why a call can't begin.
#[derive(Debug)]
pub(crate) enum Refused {
    /// No tool has that name.
    Unknown,
    /// The arguments are not what the function takes.
    Arguments(Issues),
}

impl Tools {
    /// Adds a tool; one of the same name gives way to it.
    pub(crate) fn add<T, R, E, F>(
        &mut self,
        name: String,
        description: String,
        run: impl Fn(T) -> F + Send + Sync + 'static,
    ) where
        T: CotOutput,
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        let run = Arc::new(run);
        let begin = move |arguments: Value| -> Result<ToolCall, Issues> {
            let arguments = read::<T>(arguments)?;
            let run = Arc::clone(&run);
            Ok(Box::pin(async move {
                // What a function breaks in a panic is its own.
                let ended = AssertUnwindSafe(async { run(arguments).await }).catch_unwind().await;
                result(ended.map_err(|panic| CodeError::from_panic(&*panic))?)
            }))
        };
        self.0.retain(|tool| tool.name != name);
        self.0.push(Tool { name, description, schema: T::output_schema(), begin: Arc::new(begin) });
    }

    /// Begins a call; nothing happens before the future is polled.
    pub(crate) fn begin(&self, name: &str, arguments: Value) -> Result<ToolCall, Refused> {
        let tool = self.0.iter().find(|tool| tool.name == name).ok_or(Refused::Unknown)?;
        (tool.begin)(arguments).map_err(Refused::Arguments)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Tool> {
        self.0.iter()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|tool| tool.name.as_str())
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Arguments as the function takes them.
fn read<T: CotOutput>(arguments: Value) -> Result<T, Issues> {
    output::deserialize(&T::output_schema().take(arguments)?)
}

fn result<R: Serialize, E: Error + 'static>(ended: Result<R, E>) -> Result<Value, CodeError> {
    let result = ended.map_err(|error| CodeError::of(&error))?;
    serde_json::to_value(result).map_err(|error| CodeError::of(&error))
}
