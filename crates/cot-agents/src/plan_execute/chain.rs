//! Both stages, and the tools.

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
    tools::{BadTool, Tools},
};

/// Asks [`Plan`] once, then [`Execute`] until it says *stop*.
#[derive(Clone)]
pub struct ChainOfThought {
    /// The first stage.
    pub plan: Plan,
    /// The second stage.
    pub execute: Execute,
    tools: Tools,
    max_steps: u64,
    max_retries: u32,
    observer: Option<Observer>,
}

/// Is told what happens.
type Observer = Arc<dyn Fn(&Progress) + Send + Sync>;

/// How many steps a run may take that says nothing else.
const MAX_STEPS: u64 = 50;

/// How many times a stage is asked again, where nothing else is said.
const MAX_RETRIES: u32 = 2;

/// Why a run ended before the model had said *stop*.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// The model failed.
    #[error("the model failed")]
    Model(#[from] ModelError),
    /// The run took as many steps as it may.
    #[error("the run has taken {limit} steps, and the model wants to go on")]
    StepLimit {
        /// How many steps it may take.
        limit: u64,
    },
    /// A definition of a tool in JSON is none.
    #[error("the definition of the tool `{tool}` is wrong: {problem}")]
    ToolDefinition {
        /// Its name, as far as it has one.
        tool: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A tool has a name that the model can't call it by.
    #[error(
        "`{name}` can't name a tool: take a word other than `continue` and `stop`, without space around it"
    )]
    ToolName {
        /// The name.
        name: String,
    },
}

impl ChainOfThought {
    /// A chain of these stages, without tools.
    #[must_use]
    pub fn new(plan: Plan, execute: Execute) -> Self {
        Self {
            plan,
            execute,
            tools: Tools::default(),
            max_steps: MAX_STEPS,
            max_retries: MAX_RETRIES,
            observer: None,
        }
    }

    /// Lets the model call a function. What it is called with is of the type that the function takes; wrong
    /// arguments and errors, panics too, are told to the model, which may try again.
    ///
    /// The model calls it by its name, which is not `continue` or `stop`, not empty, and has no space around
    /// it. A tool of the same name gives way to this one.
    ///
    /// A run waits for a function as long as it takes; one that may take too long keeps its own time.
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
    /// assert!(asked[1].system.as_ref().unwrap().contains(r#"tool `add` with {"a":17,"b":5} gave: 22"#));
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
        self.tools.add(name.into(), description.into(), run);
        self
    }

    /// Lets the model call a function that a definition in JSON describes: its `name`, its `description`, and
    /// as `parameters` the JSON schema of its arguments, or the same as OpenAI writes it. The function takes
    /// arguments that fit the schema.
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
        self.tools.add_json(definition, run);
        self
    }

    /// How many times a run may ask [`Execute`]; 50, if nothing is said.
    #[must_use]
    pub const fn max_steps(mut self, steps: u64) -> Self {
        self.max_steps = steps;
        self
    }

    /// How many times a stage is asked again, with the issues, after a reply that can't be used; 2, if
    /// nothing is said. A reply that was cut off, or refused, is not asked for again.
    #[must_use]
    pub const fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// Tells a function what happens, at once. The run waits for it meanwhile, so it should be quick.
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Runs the chain: plan, then work, until the model says *stop* and there is an answer, or gives no reply
    /// that can be used. The context holds the answer, and why the run ended.
    ///
    /// A context that has a plan goes on where it stands; one that has ended stays as it is. Dropping the
    /// future drops the call in flight, and leaves the context with what was done until then; a tool that
    /// was in flight is called again.
    ///
    /// # Errors
    ///
    /// A tool whose name the model can't say, before anything is asked; a model that failed, or the limit of
    /// steps. The context holds what was done until then, and the run can go on with it.
    pub async fn run(&self, context: &mut Context) -> Result<(), ChainError> {
        if let Some(BadTool { tool, problem }) = self.tools.bad().cloned() {
            return Err(ChainError::ToolDefinition { tool, problem });
        }
        if let Some(name) = tool::misnamed(&self.tools) {
            return Err(ChainError::ToolName { name: name.to_owned() });
        }
        context.formats = Some(Arc::new(Formats::new(&self.tools)));
        if context.action.is_none() {
            let action = self.ask(&self.plan, context).await?;
            if context.was_read() {
                self.tell(|| Progress::Planned { todos: context.todos.clone(), action });
            }
            self.tell_end(context);
        }
        for step in 1_u64.. {
            if let Some(Action::Tool(name)) = context.action.clone() {
                self.call(name, context).await;
            }
            if context.action != Some(Action::Continue) {
                break;
            }
            if step > self.max_steps {
                return Err(ChainError::StepLimit { limit: self.max_steps });
            }
            self.step(step, context).await?;
        }
        Ok(())
    }

    async fn step(&self, step: u64, context: &mut Context) -> Result<(), ChainError> {
        let done = context.work.len();
        let action = self.ask(&self.execute, context).await?;
        if context.was_read() {
            let (current, result) = match context.work.get(done) {
                Some(Work::Task { current, result }) => (current.clone(), result.clone()),
                _ => Default::default(),
            };
            let todos = || context.todos.clone();
            self.tell(|| Progress::Worked { step, current, result, todos: todos(), action });
        }
        self.tell_end(context);
        Ok(())
    }

    /// Has a stage answered; again, while its replies can't be used and it may be asked again.
    async fn ask(&self, stage: &dyn Node, context: &mut Context) -> Result<Action, ModelError> {
        let before = context.action.clone();
        for _ in 0..self.max_retries {
            let action = stage.run(context).await?;
            let Some(Ending::Unreadable(issues)) = context.ending.clone() else {
                return Ok(action);
            };
            self.tell(|| Progress::Rejected { issues: issues.clone() });
            context.begin_again(before.clone(), issues);
        }
        stage.run(context).await
    }

    async fn call(&self, name: String, context: &mut Context) {
        let arguments = context.arguments.clone().unwrap_or_else(no_arguments);
        self.tell(|| Progress::Calling { name: name.clone(), arguments: arguments.clone() });
        let result = tool::call(&self.tools, &name, arguments.clone()).await;
        self.tell(|| Progress::Called { name: name.clone(), result: result.clone() });
        context.work.push(Work::Tool { name, arguments, result });
        context.arguments = None;
        context.action = Some(Action::Continue);
    }

    fn tell_end(&self, context: &Context) {
        if let Some(ending) = &context.ending {
            let (ending, answer) = (ending.clone(), context.answer.clone());
            self.tell(|| Progress::Ended { ending, answer });
        }
    }

    fn tell(&self, progress: impl FnOnce() -> Progress) {
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
