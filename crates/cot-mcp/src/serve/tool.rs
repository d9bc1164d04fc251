//! A process as a tool.

use std::{fmt, sync::Arc};

use cot_engine::Process;
use cot_model::BoxFuture;
use cot_runtime::Runner;
use cot_schema::{CotOutput, Issues};
use rmcp::model::{CallToolResult, Tool};
use serde::Serialize;
use serde_json::Value;

use super::call::{Call, ResultOf, failed, run};

/// A process as a tool of an MCP server.
///
/// `A` is the type of the arguments. Its schema is that of the tool, and its checks are those of an output.
pub struct ProcessTool<P: Process, A> {
    name: String,
    description: String,
    runner: Runner<P>,
    start: Box<dyn Fn(A) -> P::State + Send + Sync>,
    goal: Option<GoalOf<A>>,
    result: ResultOf<P>,
}

/// Returns the goal of a run from the arguments of its call.
type GoalOf<A> = Box<dyn Fn(&A) -> String + Send + Sync>;

impl<P: Process, A: CotOutput> ProcessTool<P, A> {
    /// Creates a tool. A call starts a run of the runner with the state that `start` returns for its
    /// arguments. The result is the final state as JSON.
    ///
    /// The description is for the models of the clients: what the tool does, and when to use it.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        runner: Runner<P>,
        start: impl Fn(A) -> P::State + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            runner,
            start: Box::new(start),
            goal: None,
            result: Arc::new(|state| serde_json::to_value(state)),
        }
    }

    /// Sets the goal of each run by the arguments of its call.
    #[must_use]
    pub fn goal(mut self, goal: impl Fn(&A) -> String + Send + Sync + 'static) -> Self {
        self.goal = Some(Box::new(goal));
        self
    }

    /// Sets the result of a call: a value made of the final state.
    #[must_use]
    pub fn result<T: Serialize>(
        mut self,
        result: impl Fn(&P::State) -> T + Send + Sync + 'static,
    ) -> Self {
        self.result = Arc::new(move |state| serde_json::to_value(result(state)));
        self
    }

    /// Reads the arguments of a call.
    fn read(arguments: Value) -> Result<A, Issues> {
        let schema = A::output_schema();
        schema.validate(&arguments)?;
        let value = schema.unwrap(arguments.clone());
        let read = serde_json::from_value(value);
        let read = read.map_err(|error| Issues::at("$", error.to_string()))?;
        let issues = schema.check_rules(&arguments, &Issues::new());
        if issues.is_empty() { Ok(read) } else { Err(issues) }
    }
}

/// A tool, whatever its process.
pub(super) trait ServedTool: Send + Sync {
    fn name(&self) -> &str;
    fn describe(&self) -> Tool;
    fn call(&self, arguments: Value, call: Call) -> BoxFuture<'_, CallToolResult>;
}

impl<P: Process, A: CotOutput> ServedTool for ProcessTool<P, A> {
    fn name(&self) -> &str {
        &self.name
    }

    fn describe(&self) -> Tool {
        let schema = A::output_schema().json().as_object().cloned().unwrap_or_default();
        Tool::new(self.name.clone(), self.description.clone(), Arc::new(schema))
    }

    fn call(&self, arguments: Value, call: Call) -> BoxFuture<'_, CallToolResult> {
        Box::pin(async move {
            let arguments = match Self::read(arguments) {
                Ok(arguments) => arguments,
                Err(issues) => return failed(&format!("invalid arguments: {issues}")),
            };
            let mut runner = self.runner.clone();
            if let Some(goal) = &self.goal {
                runner = runner.goal(goal(&arguments));
            }
            run(&runner, (self.start)(arguments), &self.result, call).await
        })
    }
}

impl<P: Process, A> fmt::Debug for ProcessTool<P, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessTool").field("name", &self.name).finish_non_exhaustive()
    }
}
