//! Functions with typed arguments and results that a model can call.

use std::{error::Error, fmt, ops::Deref, panic::AssertUnwindSafe, sync::Arc};

use cot_engine::FunctionError;
use cot_model::BoxFuture;
use cot_reader::internal::coerce_output;
use cot_schema::{CotOutput, Issues, OutputSchema, internal::deserialize};
use futures_util::FutureExt;
use serde::Serialize;
use serde_json::{Value, json};

/// A started call. It resolves to the result, or to the error that is reported to the model.
pub(crate) type ToolCall = BoxFuture<'static, Result<Value, FunctionError>>;

/// Tools in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Tools {
    tools: Vec<Tool>,
    invalid: Vec<InvalidTool>,
}

#[derive(Clone)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: ToolSchema,
    start: Arc<dyn Fn(Value) -> Result<ToolCall, Issues> + Send + Sync>,
}

/// The schema of a tool's arguments: derived from a type, or given as JSON.
#[derive(Clone)]
pub(crate) enum ToolSchema {
    Type(&'static OutputSchema),
    Json(Arc<OutputSchema>),
}

impl Deref for ToolSchema {
    type Target = OutputSchema;

    fn deref(&self) -> &OutputSchema {
        match self {
            Self::Type(schema) => schema,
            Self::Json(schema) => schema,
        }
    }
}

/// An invalid JSON definition of a tool: its name, if it has one, and the problem.
#[derive(Debug, Clone)]
pub(crate) struct InvalidTool {
    pub(crate) tool: String,
    pub(crate) problem: String,
}

/// Why a call can't start.
#[derive(Debug)]
pub(crate) enum ToolCallError {
    /// No tool has this name.
    Unknown,
    /// The arguments don't match the schema of the function.
    Arguments(Issues),
}

impl Tools {
    /// Adds a tool. It replaces an earlier tool of the same name.
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
        let start = move |arguments: Value| -> Result<ToolCall, Issues> {
            let arguments = coerce_arguments::<T>(arguments)?;
            Ok(run_function(Arc::clone(&run), arguments))
        };
        let (schema, start) = (ToolSchema::Type(T::output_schema()), Arc::new(start));
        self.push(Tool { name, description, schema, start });
    }

    /// Adds a tool with a JSON definition. It replaces an earlier tool of the same name. An invalid
    /// definition is stored and reported before the first call.
    pub(crate) fn add_json<R, E, F>(
        &mut self,
        definition: &Value,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) where
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        let (name, description, schema) = match parse_definition(definition) {
            Ok(parsed) => parsed,
            Err(invalid) => return self.invalid.push(invalid),
        };
        let (run, arguments_schema) = (Arc::new(run), Arc::clone(&schema));
        let start = move |arguments: Value| -> Result<ToolCall, Issues> {
            Ok(run_function(Arc::clone(&run), coerce_output(&arguments_schema, arguments)?))
        };
        self.push(Tool {
            name,
            description,
            schema: ToolSchema::Json(schema),
            start: Arc::new(start),
        });
    }

    fn push(&mut self, tool: Tool) {
        self.tools.retain(|other| other.name != tool.name);
        self.tools.push(tool);
    }

    /// Returns the first invalid definition.
    pub(crate) fn invalid(&self) -> Option<&InvalidTool> {
        self.invalid.first()
    }

    /// Starts a call. The function runs when the future is polled.
    pub(crate) fn start(&self, name: &str, arguments: Value) -> Result<ToolCall, ToolCallError> {
        let tool =
            self.tools.iter().find(|tool| tool.name == name).ok_or(ToolCallError::Unknown)?;
        (tool.start)(arguments).map_err(ToolCallError::Arguments)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Tool> {
        self.tools.iter()
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

/// Coerces the arguments into the function's type.
fn coerce_arguments<T: CotOutput>(arguments: Value) -> Result<T, Issues> {
    deserialize(&coerce_output(T::output_schema(), arguments)?)
}

/// Parses name, description and schema of `{"name", "description", "parameters"}`.
fn parse_definition(
    definition: &Value,
) -> Result<(String, String, Arc<OutputSchema>), InvalidTool> {
    let name = definition.get("function").unwrap_or(definition).get("name");
    let name = name.and_then(Value::as_str).unwrap_or_default().to_owned();
    let invalid = |problem: String| InvalidTool { tool: name.clone(), problem };
    let parsed = cot_task_format::Tool::from_openai(definition);
    let cot_task_format::Tool { description, parameters, .. } =
        parsed.map_err(|error| invalid(error.to_string()))?;
    let parameters = parameters.unwrap_or_else(|| json!({ "type": "object" }));
    let schema = OutputSchema::from_json(&name, parameters);
    if let Some(problem) = schema.compile_error() {
        return Err(invalid(format!("its schema is invalid: {problem}")));
    }
    Ok((name.clone(), description.unwrap_or_default(), Arc::new(schema)))
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
    serde_json::to_value(result).map_err(|error| FunctionError::from_error(&error))
}
