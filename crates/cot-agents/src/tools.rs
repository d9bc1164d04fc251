//! Functions that a model can call, with arguments and results that are types.

use std::{error::Error, fmt, ops::Deref, panic::AssertUnwindSafe, sync::Arc};

use cot_engine::FunctionError;
use cot_model::BoxFuture;
use cot_reader::internal::coerce_output;
use cot_schema::{CotOutput, Issues, OutputSchema, internal::deserialize};
use futures_util::FutureExt;
use serde::Serialize;
use serde_json::{Value, json};

/// A call that has begun, and what it comes to: the result, or why there is none, as the model is told.
pub(crate) type ToolCall = BoxFuture<'static, Result<Value, FunctionError>>;

/// Tools in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Tools {
    tools: Vec<Tool>,
    bad: Vec<BadTool>,
}

#[derive(Clone)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: ToolSchema,
    begin: Arc<dyn Fn(Value) -> Result<ToolCall, Issues> + Send + Sync>,
}

/// The schema of a tool's arguments: that of a type, or one that was given.
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

/// A definition of a tool that is none: its name, as far as it has one, and what is wrong.
#[derive(Debug, Clone)]
pub(crate) struct BadTool {
    pub(crate) tool: String,
    pub(crate) problem: String,
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
            Ok(call(Arc::clone(&run), arguments))
        };
        let (schema, begin) = (ToolSchema::Type(T::output_schema()), Arc::new(begin));
        self.push(Tool { name, description, schema, begin });
    }

    /// Adds a tool that a definition in JSON describes; one of the same name gives way to it. A definition
    /// that is none is kept, and reported before the first call.
    pub(crate) fn add_json<R, E, F>(
        &mut self,
        definition: &Value,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) where
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        let (name, description, schema) = match defined(definition) {
            Ok(defined) => defined,
            Err(bad) => return self.bad.push(bad),
        };
        let (run, arguments_of) = (Arc::new(run), Arc::clone(&schema));
        let begin = move |arguments: Value| -> Result<ToolCall, Issues> {
            Ok(call(Arc::clone(&run), coerce_output(&arguments_of, arguments)?))
        };
        self.push(Tool {
            name,
            description,
            schema: ToolSchema::Json(schema),
            begin: Arc::new(begin),
        });
    }

    fn push(&mut self, tool: Tool) {
        self.tools.retain(|other| other.name != tool.name);
        self.tools.push(tool);
    }

    /// The first definition that is none.
    pub(crate) fn bad(&self) -> Option<&BadTool> {
        self.bad.first()
    }

    /// Begins a call; nothing happens before the future is polled.
    pub(crate) fn begin(&self, name: &str, arguments: Value) -> Result<ToolCall, Refused> {
        let tool = self.tools.iter().find(|tool| tool.name == name).ok_or(Refused::Unknown)?;
        (tool.begin)(arguments).map_err(Refused::Arguments)
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

/// Arguments as the function takes them.
fn read<T: CotOutput>(arguments: Value) -> Result<T, Issues> {
    deserialize(&coerce_output(T::output_schema(), arguments)?)
}

/// The name, the description and the schema of `{"name", "description", "parameters"}`.
fn defined(definition: &Value) -> Result<(String, String, Arc<OutputSchema>), BadTool> {
    let name = definition.get("function").unwrap_or(definition).get("name");
    let name = name.and_then(Value::as_str).unwrap_or_default().to_owned();
    let wrong = |problem: String| BadTool { tool: name.clone(), problem };
    let defined = cot_task_format::Tool::from_openai(definition);
    let cot_task_format::Tool { description, parameters, .. } =
        defined.map_err(|error| wrong(error.to_string()))?;
    let parameters = parameters.unwrap_or_else(|| json!({ "type": "object" }));
    let schema = OutputSchema::from_json(&name, parameters);
    if let Some(problem) = schema.compile_error() {
        return Err(wrong(format!("its schema is invalid: {problem}")));
    }
    Ok((name.clone(), description.unwrap_or_default(), Arc::new(schema)))
}

/// A call of a function; a panic in it is an error.
fn call<A, R, E, F>(run: Arc<impl Fn(A) -> F + Send + Sync + 'static>, arguments: A) -> ToolCall
where
    A: Send + 'static,
    R: Serialize,
    E: Error + 'static,
    F: Future<Output = Result<R, E>> + Send + 'static,
{
    Box::pin(async move {
        // What a function breaks in a panic is its own.
        let ended = AssertUnwindSafe(async { run(arguments).await }).catch_unwind().await;
        result(ended.map_err(|panic| FunctionError::from_panic(&*panic))?)
    })
}

fn result<R: Serialize, E: Error + 'static>(ended: Result<R, E>) -> Result<Value, FunctionError> {
    let result = ended.map_err(|error| FunctionError::from_error(&error))?;
    serde_json::to_value(result).map_err(|error| FunctionError::from_error(&error))
}
