//! The chain of both stages, with its tools and limits.

use std::{fmt, sync::Arc};

use cot_engine::ResumeOptions;
use cot_runtime::Runner;

use super::{
    format::Formats,
    node::{Execute, Plan},
    process::PlanExecute,
    progress::Progress,
    settings::{ChainLimits, ChainSettings, MAX_RETRIES},
    tool,
};
use crate::tools::ToolSet;

/// Asks [`Plan`] once, then [`Execute`] until the model replies *stop*.
#[derive(Clone)]
pub struct ChainOfThought {
    /// The first stage.
    pub plan: Plan,
    /// The second stage.
    pub execute: Execute,
    pub(super) tools: ToolSet,
    pub(super) limits: ChainLimits,
    configure: Vec<Configure>,
    pub(super) observer: Option<Observer>,
}

/// Changes the runner of a run.
type Configure = Arc<dyn Fn(Runner<PlanExecute>) -> Runner<PlanExecute> + Send + Sync>;

/// A function that receives the progress of a run.
type Observer = Arc<dyn Fn(&Progress) + Send + Sync>;

impl ChainOfThought {
    /// Creates a chain of two stages, without tools.
    #[must_use]
    pub fn new(plan: Plan, execute: Execute) -> Self {
        Self {
            plan,
            execute,
            tools: ToolSet::new(),
            limits: ChainLimits::default(),
            configure: Vec::new(),
            observer: None,
        }
    }

    /// Sets the tools, with the limits of their set. The name of a tool must be neither `continue` nor `stop` nor empty, and
    /// must not begin or end with a space.
    ///
    /// ```
    /// # use std::{convert::Infallible, sync::Arc, time::Duration};
    /// # use cot_core::{model::ScriptedModel, plan_execute::{ChainOfThought, Execute, Plan}};
    /// # use cot_core::{CotOutput, Approval, tools::{Tool, ToolSet}};
    /// # #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema, CotOutput)]
    /// # struct Mail { text: String }
    /// # async fn send(mail: Mail) -> Result<usize, Infallible> { Ok(mail.text.len()) }
    /// # let model = Arc::new(ScriptedModel::new([""; 0]));
    /// let send = Tool::new("send", "Sends a mail", send).once().approved();
    /// let tools = ToolSet::new().add(send).timeout(Duration::from_secs(10));
    /// let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model))
    ///     .tools(tools)
    ///     .configure(|runner| runner.person(async |_question| Approval::approve()));
    /// # let _ = chain;
    /// ```
    #[must_use]
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.tools = tools;
        self
    }

    /// Sets the limits of a run.
    #[must_use]
    pub fn limits(mut self, limits: ChainLimits) -> Self {
        self.limits = ChainLimits { retries: limits.retries.min(MAX_RETRIES), ..limits };
        self
    }

    /// Configures the runner of each run: its budget, its time limit, its store, its observers, its capture, and the person
    /// who approves calls of [tools](crate::tools::Tool::approved). A call of a model that is in flight when the budget
    /// is exhausted is completed.
    ///
    /// With a store and a [name](Runner::run_id), the run survives its program. If the store has a run of this name,
    /// [`run`](Self::run) resumes it from its last position, and the given context is replaced. A run that has ended
    /// returns its result at once.
    #[must_use]
    pub fn configure(
        mut self,
        configure: impl Fn(Runner<PlanExecute>) -> Runner<PlanExecute> + Send + Sync + 'static,
    ) -> Self {
        self.configure.push(Arc::new(configure));
        self
    }

    /// Sets a function that receives the progress of a run. The run waits while it executes, so it should
    /// return quickly. [`runner`](Self::runner) gives access to all events.
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Returns the settings of the chain, for a process of your own that runs [`PlanExecute`] as a task:
    /// `task answer { process: PlanExecute with Context::new(…), context: app.chain.settings(), … }`. Its
    /// runner needs the engines `plan` and `execute`.
    #[must_use]
    pub fn settings(&self) -> ChainSettings {
        let tools = self.tools.clone();
        ChainSettings {
            plan_prompt: self.plan.system_prompt.clone(),
            execute_prompt: self.execute.system_prompt.clone(),
            native: if tool::can_be_native(&tools) { tools.clone() } else { ToolSet::new() },
            formats: Arc::new(Formats::new(&tools)),
            limits: self.limits,
            tools,
        }
    }

    /// Returns a runner of the process of the chain, with the models, limits and configuration of the chain:
    /// for events, hooks, captures, replays and workers. Its runs neither check the tools nor call the
    /// [observer](Self::observe).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use cot_core::{
    ///     model::ScriptedModel,
    ///     plan_execute::{ChainOfThought, Context, Execute, Plan, PlanExecuteOutcome},
    /// };
    /// use serde_json::json;
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// let model = Arc::new(ScriptedModel::new([json!({ "action": "stop", "final": "4" })]));
    /// let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model));
    /// let runner = chain.runner().observe(|event, context| println!("{} {event:?}", context.run_id));
    /// let run = runner.run(Context::new("2 + 2?")).await?;
    /// assert_eq!(run.outcome, PlanExecuteOutcome::Done);
    /// assert_eq!(run.state.answer.as_deref(), Some("4"));
    /// # Ok::<(), cot_core::RunError>(())
    /// # }).unwrap();
    /// ```
    #[must_use]
    pub fn runner(&self) -> Runner<PlanExecute> {
        let runner = PlanExecute::runner(self.settings())
            .engine("plan", Arc::clone(&self.plan.llm))
            .engine("execute", Arc::clone(&self.execute.llm))
            .resume_options(ResumeOptions::default().retry_halted());
        self.configure.iter().fold(runner, |runner, configure| configure(runner))
    }
}

impl fmt::Debug for ChainOfThought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainOfThought")
            .field("plan", &self.plan)
            .field("execute", &self.execute)
            .field("tools", &self.tools)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
