//! The chain of both stages, with its tools and limits.

use std::{error::Error, fmt, sync::Arc};

use cot_model::ModelError;
use cot_schema::CotOutput;
use serde::Serialize;
use serde_json::Value;

use super::{format::Formats, tool::no_arguments};
use crate::{
    plan_execute::{
        action::Action,
        context::{Context, Ending, Work},
        execute::Execute,
        node::Node,
        plan::Plan,
        progress::Progress,
        tool,
    },
    tools::{ToolDefinitionError, ToolSet},
};

/// Asks [`Plan`] once, then [`Execute`] until the model replies *stop*.
#[derive(Clone)]
pub struct ChainOfThought {
    /// The first stage.
    pub plan: Plan,
    /// The second stage.
    pub execute: Execute,
    tools: ToolSet,
    max_steps: u64,
    max_retries: u32,
    observer: Option<Observer>,
}

/// A function that receives the progress of a run.
type Observer = Arc<dyn Fn(&Progress) + Send + Sync>;

/// Default limit of steps.
const MAX_STEPS: u64 = 50;

/// Default number of retries of a stage.
const MAX_RETRIES: u32 = 2;

/// Why a run ended before the model replied *stop*.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// The model failed.
    #[error("the model failed")]
    Model(#[from] ModelError),
    /// The run reached its limit of steps.
    #[error("the run reached its limit of {limit} steps")]
    StepLimit {
        /// The limit.
        limit: u64,
    },
    /// A JSON definition of a tool is invalid.
    #[error("the definition of the tool `{tool}` is invalid: {problem}")]
    ToolDefinition {
        /// The name of the tool, if the definition has one.
        tool: String,
        /// The problem.
        problem: String,
    },
    /// The model can't call a tool by this name.
    #[error(
        "`{name}` is not a valid name of a tool: use a word other than `continue` and `stop`, without surrounding spaces"
    )]
    ToolName {
        /// The name.
        name: String,
    },
}

impl ChainOfThought {
    /// Creates a chain of two stages, without tools.
    #[must_use]
    pub fn new(plan: Plan, execute: Execute) -> Self {
        Self {
            plan,
            execute,
            tools: ToolSet::new(),
            max_steps: MAX_STEPS,
            max_retries: MAX_RETRIES,
            observer: None,
        }
    }

    /// Adds a function that the model can call. The arguments are coerced into the function's parameter
    /// type. Invalid arguments, errors and panics are reported to the model, which can try again.
    ///
    /// The name must be neither `continue` nor `stop` nor empty, and must not begin or end with a space. The
    /// tool replaces an earlier tool of the same name.
    ///
    /// A run waits for the function without a time limit; a function that may hang needs its own timeout.
    ///
    /// ```
    /// use std::{convert::Infallible, sync::Arc};
    ///
    /// use cot_core::{
    ///     CotOutput,
    ///     model::ScriptedModel,
    ///     plan_execute::{ChainOfThought, Context, Execute, Plan},
    /// };
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    /// use serde_json::json;
    ///
    /// /// Numbers to add.
    /// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    /// struct Add {
    ///     a: i64,
    ///     b: i64,
    /// }
    ///
    /// async fn add(numbers: Add) -> Result<i64, Infallible> {
    ///     Ok(numbers.a + numbers.b)
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let model = Arc::new(ScriptedModel::new([
    ///     json!({ "todos": "- [ ] add", "action": "add", "arguments": { "a": 17, "b": 5 } }),
    ///     json!({ "current": "add", "result": "22", "action": "stop", "final": "22" }),
    /// ]));
    /// let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(Arc::clone(&model)));
    /// let mut context = Context::new("What is 17 + 5?");
    /// chain.tool("add", "Adds two numbers", add).run(&mut context).await?;
    /// let asked = model.requests();
    /// assert!(asked[1].system().unwrap().contains(r#"tool `add` with {"a":17,"b":5} gave: 22"#));
    /// # Ok::<(), cot_core::plan_execute::ChainError>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn tool<T, R, E, F>(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        run: impl Fn(T) -> F + Send + Sync + 'static,
    ) -> Self
    where
        T: CotOutput,
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.tools = self.tools.tool(name, description, run);
        self
    }

    /// Adds a function with a JSON definition: its `name`, its `description`, and as `parameters` the JSON
    /// schema of its arguments; OpenAI's form of a tool is accepted too. The arguments that the function
    /// receives match the schema.
    #[must_use]
    pub fn json_tool<R, E, F>(
        mut self,
        definition: &Value,
        run: impl Fn(Value) -> F + Send + Sync + 'static,
    ) -> Self
    where
        R: Serialize,
        E: Error + 'static,
        F: Future<Output = Result<R, E>> + Send + 'static,
    {
        self.tools = self.tools.json_tool(definition, run);
        self
    }

    /// Limits how often a run asks [`Execute`]. Defaults to 50.
    #[must_use]
    pub const fn max_steps(mut self, steps: u64) -> Self {
        self.max_steps = steps;
        self
    }

    /// Limits how often a stage is asked again after an unusable reply, with the issues in the prompt.
    /// Defaults to 2. A reply that was cut off by the token limit, or in which the model refused, is not
    /// retried.
    #[must_use]
    pub const fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// Sets a function that receives the progress of a run. The run waits while it executes, so it should
    /// return quickly.
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Runs the chain: plans, then works, until the model replies *stop* and there is an answer, or gives no
    /// usable reply. The context then holds the answer and the reason of the end.
    ///
    /// A context with a plan is resumed from its position; a context whose run has ended is not changed.
    /// Dropping the future cancels the call in flight; the context keeps the work until then, and a tool
    /// that was in flight is called again when the run is resumed.
    ///
    /// # Errors
    ///
    /// Fails if a tool is invalid, before the first call; if the model fails; or at the limit of steps. The
    /// context keeps the work until then, and another call of `run` resumes it.
    pub async fn run(&self, context: &mut Context) -> Result<(), ChainError> {
        if let Some(ToolDefinitionError { tool, problem }) = self.tools.invalid().cloned() {
            return Err(ChainError::ToolDefinition { tool, problem });
        }
        if let Some(name) = tool::invalid_name(&self.tools) {
            return Err(ChainError::ToolName { name: name.to_owned() });
        }
        context.formats = Some(Arc::new(Formats::new(&self.tools)));
        if context.action.is_none() {
            let action = self.run_stage(&self.plan, context).await?;
            if context.has_usable_reply() {
                self.notify(|| Progress::Planned { todos: context.todos.clone(), action });
            }
            self.notify_end(context);
        }
        for step in 1_u64.. {
            if let Some(Action::Tool(name)) = context.action.clone() {
                self.call_tool(name, context).await;
            }
            if context.action != Some(Action::Continue) {
                break;
            }
            if step > self.max_steps {
                return Err(ChainError::StepLimit { limit: self.max_steps });
            }
            self.run_step(step, context).await?;
        }
        Ok(())
    }

    async fn run_step(&self, step: u64, context: &mut Context) -> Result<(), ChainError> {
        let done = context.work.len();
        let action = self.run_stage(&self.execute, context).await?;
        if context.has_usable_reply() {
            let (current, result) = match context.work.get(done) {
                Some(Work::Task { current, result }) => (current.clone(), result.clone()),
                _ => Default::default(),
            };
            let todos = || context.todos.clone();
            self.notify(|| Progress::Worked { step, current, result, todos: todos(), action });
        }
        self.notify_end(context);
        Ok(())
    }

    /// Runs a stage, and retries it while its reply is unusable and retries are left.
    async fn run_stage(
        &self,
        stage: &dyn Node,
        context: &mut Context,
    ) -> Result<Action, ModelError> {
        let before = context.action.clone();
        for _ in 0..self.max_retries {
            let action = stage.run(context).await?;
            let Some(Ending::Unreadable(issues)) = context.ending.clone() else {
                return Ok(action);
            };
            self.notify(|| Progress::Rejected { issues: issues.clone() });
            context.retry_stage(before.clone(), issues);
        }
        stage.run(context).await
    }

    async fn call_tool(&self, name: String, context: &mut Context) {
        let arguments = context.arguments.clone().unwrap_or_else(no_arguments);
        self.notify(|| Progress::Calling { name: name.clone(), arguments: arguments.clone() });
        let result = tool::call(&self.tools, &name, arguments.clone()).await;
        self.notify(|| Progress::Called { name: name.clone(), result: result.clone() });
        context.work.push(Work::Tool { name, arguments, result });
        context.arguments = None;
        context.action = Some(Action::Continue);
    }

    fn notify_end(&self, context: &Context) {
        if let Some(ending) = &context.ending {
            let (ending, answer) = (ending.clone(), context.answer.clone());
            self.notify(|| Progress::Ended { ending, answer });
        }
    }

    fn notify(&self, progress: impl FnOnce() -> Progress) {
        if let Some(observer) = &self.observer {
            observer(&progress());
        }
    }
}

impl fmt::Debug for ChainOfThought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainOfThought")
            .field("plan", &self.plan)
            .field("execute", &self.execute)
            .field("tools", &self.tools)
            .field("max_steps", &self.max_steps)
            .field("max_retries", &self.max_retries)
            .finish_non_exhaustive()
    }
}
