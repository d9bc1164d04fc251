//! Sources of tools that are known only when the program runs, such as MCP servers.

use std::sync::Arc;

use cot_model::{BoxFuture, FunctionError, ReplySchema};
use serde_json::Value;

use crate::process::effect::Effect;

/// A source of tools that are known only when the program runs, such as a server.
///
/// A process names a source in `tools`, with the tools of it that its tasks may use, or with `only: all` for a
/// source that is code of the program; the context of the process contains the source.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source of tools [COT0171]",
    label = "does not implement `ToolSource`",
    note = "name a value in the context that implements `ToolSource`, such as the tools of an MCP server: `source app.files`"
)]
pub trait ToolSource: Send + Sync {
    /// Returns the tools of the source. They don't change while the source exists.
    fn tools(&self) -> &[SourceTool];

    /// Calls a tool with arguments that match its schema. `key` identifies the call: a repetition after a crash
    /// has the same. Dropping the future must cancel the call.
    fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Value,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Value, FunctionError>>;
}

/// A tool of a [`ToolSource`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SourceTool {
    /// What the tool does, for the model.
    pub description: String,
    /// The name of the tool, and the JSON schema of its arguments.
    pub schema: Arc<ReplySchema>,
    /// The effect of a call, unless the process declares a stricter one.
    pub effect: Effect,
    /// Whether a person has to approve each call, even if the process does not say so.
    pub needs_approval: bool,
}

impl SourceTool {
    /// Creates a tool whose calls can be repeated and need no approval.
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>, schema: Value) -> Self {
        let schema = Arc::new(ReplySchema { name: name.into(), json: schema });
        let (description, effect) = (description.into(), Effect::Repeatable);
        Self { description, schema, effect, needs_approval: false }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.schema.name
    }
}

/// Implements the trait for pointers to sources.
macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<S: ToolSource + ?Sized> ToolSource for $pointer {
            fn tools(&self) -> &[SourceTool] {
                (**self).tools()
            }

            fn call<'a>(
                &'a self,
                tool: &'a str,
                arguments: Value,
                key: &'a str,
            ) -> BoxFuture<'a, Result<Value, FunctionError>> {
                (**self).call(tool, arguments, key)
            }
        }
    )*};
}
pointers!(&S, Box<S>, Arc<S>);
