//! Functions that a model can call.

use std::{any::Any, error::Error, fmt, panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use serde::Serialize;
use serde_json::{Map, Value};

use super::reply::shown;
use crate::{CodeError, CotOutput, Issues, OutputSchema, model::BoxFuture, output};

/// What a tool came to, as the model is told.
type ToolResult = Result<String, String>;

/// The tools of a chain, in the order in which they were added.
#[derive(Clone, Default)]
pub(super) struct Tools(Vec<Tool>);

#[derive(Clone)]
struct Tool {
    name: String,
    description: String,
    schema: &'static OutputSchema,
    call: Arc<dyn Fn(Value) -> BoxFuture<'static, ToolResult> + Send + Sync>,
}

impl Tools {
    /// Adds a tool; one of the same name gives way to it.
    pub(super) fn add<T, R, E, F>(
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
        let call = move |arguments: Value| -> BoxFuture<'static, ToolResult> {
            let run = Arc::clone(&run);
            Box::pin(async move {
                let arguments = read::<T>(arguments)
                    .map_err(|issues| format!("the arguments are wrong: {issues}"))?;
                // What a function breaks in a panic is its own.
                let ended = AssertUnwindSafe(async { run(arguments).await }).catch_unwind().await;
                told(ended.map_err(|panic| in_words(&*panic))?)
            })
        };
        self.0.retain(|tool| tool.name != name);
        self.0.push(Tool { name, description, schema: T::output_schema(), call: Arc::new(call) });
    }

    /// Calls a tool.
    pub(super) async fn call(&self, name: &str, arguments: Value) -> ToolResult {
        match self.0.iter().find(|tool| tool.name == name) {
            Some(tool) => (tool.call)(arguments).await,
            None => Err(self.unknown()),
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|tool| tool.name.as_str())
    }

    /// What the tools are called with.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &'static OutputSchema> {
        self.0.iter().map(|tool| tool.schema)
    }

    fn unknown(&self) -> String {
        let names: Vec<String> = self.names().map(|name| format!("`{name}`")).collect();
        if names.is_empty() {
            return "there are no tools; `action` is `continue` or `stop`".to_owned();
        }
        format!("there is no such tool; there are: {}", names.join(", "))
    }

    /// The tools in words, for the end of a prompt; empty without any.
    pub(super) fn described(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let tools: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        format!("{INTRODUCTION}\n\n{}", tools.join("\n\n"))
    }
}

const INTRODUCTION: &str = r#"

You may call a tool: then "action" is its name and "arguments" is a JSON object that fits its schema. What it gives is in the work so far of the next message. The tools:"#;

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.schema.json();
        write!(f, "{}: {}\nschema of its arguments: {schema}", self.name, self.description)
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

fn told<R: Serialize, E: Error + 'static>(ended: Result<R, E>) -> ToolResult {
    let result = ended.map_err(|error| CodeError::of(&error).to_string())?;
    let value = serde_json::to_value(result).map_err(|error| CodeError::of(&error).to_string())?;
    Ok(shown(value))
}

fn in_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    match text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)) {
        Some(text) => CodeError::new(format_args!("it panicked: {text}")).to_string(),
        None => "it panicked".to_owned(),
    }
}

/// What a tool is called with where the model gives nothing.
pub(super) fn no_arguments() -> Value {
    Value::Object(Map::new())
}
