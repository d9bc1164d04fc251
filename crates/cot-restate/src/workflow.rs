//! A process with its models, and the handlers of its service.

use std::{fmt, sync::Arc};

use cot_core::{
    Event, IntoContext, Machine, Models, Preflight as _, PreflightError, Process, ResumeOptions,
    Snapshot, SnapshotError,
};
use restate_sdk::prelude::{
    ContextReadState, ContextSideEffects, HandlerError, HandlerResult, Json, RunFuture,
    SharedWorkflowContext, TerminalError, WorkflowContext,
};

use crate::{
    announced::AnnouncedCalls,
    driver::Driver,
    people::{self, QUESTION},
    perform,
    request::Request,
    status::{STATUS, no_run},
    wire::{Answer, AnswerOutcome, RawJson, RunResult, Start, Status},
};

/// A process with the models of a node; the contents of a service that [`workflow!`](crate::workflow)
/// declares.
pub struct Workflow<P: Process> {
    pub(crate) models: Models,
    context: Arc<P::Context>,
    accepts_changed_prompts: bool,
    announced: AnnouncedCalls,
}

impl<P: Process<Context = ()>> Workflow<P> {
    /// Creates a workflow of a process without a context.
    ///
    /// # Errors
    ///
    /// Returns an error if a model of a task is missing, or does not support the schema of a reply.
    pub fn new(models: Models) -> Result<Self, PreflightError> {
        Self::with_context((), models)
    }
}

impl<P: Process> Workflow<P> {
    /// Creates a workflow. The functions of the process receive the context with their
    /// [`Cx`](cot_core::Cx).
    ///
    /// # Errors
    ///
    /// Returns an error if a model of a task is missing, or does not support the schema of a reply, or if a task has
    /// `effect: transaction`: Restate has no transactions in which functions could write.
    pub fn with_context(
        context: impl IntoContext<P::Context>,
        models: Models,
    ) -> Result<Self, PreflightError> {
        P::preflight(&models)?;
        P::refuse_transactions()?;
        let (context, announced) = (context.into_context(), AnnouncedCalls::default());
        Ok(Self { models, context, accepts_changed_prompts: false, announced })
    }

    /// Lets runs that were started with other prompts continue with the present ones. By default a node
    /// refuses to resume them, as it does if the graph, the state or a schema has changed.
    #[must_use]
    pub fn accept_changed_prompts(mut self) -> Self {
        self.accepts_changed_prompts = true;
        self
    }

    #[doc(hidden)]
    pub async fn run(
        &self,
        ctx: &WorkflowContext<'_>,
        service: &'static str,
        start: Start<P::State>,
    ) -> HandlerResult<Json<RawJson<RunResult<P::State>>>> {
        let context = Arc::clone(&self.context);
        let begun = ctx.run(move || async move { begin::<P>(context, start).map(Json) });
        let begun = begun.name("start");
        let Json(begun) = begun.await?;
        let run = format!("{service}/{}", ctx.key());
        let (process, machine) = (begun.process().to_owned(), self.resume(begun, &run)?);
        let announced = self.announced.clone();
        let driver = Driver::new(ctx, &self.models, service, process, machine, announced);
        Ok(Json(driver.finish().await?))
    }

    #[doc(hidden)]
    pub async fn status(&self, ctx: &SharedWorkflowContext<'_>) -> HandlerResult<Json<Status>> {
        let status: Option<Json<Status>> = ctx.get(STATUS).await?;
        let Some(Json(mut status)) = status else { return Err(no_run(ctx.key())) };
        status.question = ctx.get(QUESTION).await?.map(Json::into_inner);
        Ok(Json(status))
    }

    #[doc(hidden)]
    pub async fn answer(
        &self,
        ctx: &SharedWorkflowContext<'_>,
        answer: Answer,
    ) -> HandlerResult<Json<AnswerOutcome>> {
        people::answer(ctx, answer).await.map(Json)
    }

    #[doc(hidden)]
    pub async fn call(
        &self,
        ctx: &SharedWorkflowContext<'_>,
        request: Request,
    ) -> HandlerResult<Json<Event>> {
        let (id, limit, key) = (request.id, request.timeout, request.call.clone());
        let engine = request.engine().map(str::to_owned);
        let request = request.into_request();
        let models = &self.models;
        let asked = move || async move {
            Ok(Json(perform::ask(models, engine.as_deref(), request, (id, limit)).await))
        };
        // The handler may run again after its result was journaled, and must return the same result
        // then.
        Ok(ctx.run(asked).name(key).await?)
    }

    /// Creates the machine of a run from its first snapshot.
    fn resume(&self, snapshot: Snapshot, run: &str) -> Result<Machine<P>, HandlerError> {
        // The journal of the run is replayed through all tasks that it has passed.
        let mut options = ResumeOptions::new().replayed();
        if self.accepts_changed_prompts {
            options = options.accept_changed_prompts();
        }
        let context = Arc::clone(&self.context);
        let machine = Machine::resume_with_context(snapshot, &options, context, run);
        Ok(machine.map_err(VersionMismatchError)?)
    }
}

impl<P: Process> fmt::Debug for Workflow<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workflow")
            .field("process", &std::any::type_name::<P>())
            .field("models", &self.models)
            .field("accepts_changed_prompts", &self.accepts_changed_prompts)
            .finish()
    }
}

/// Starts a machine. Errors are terminal, since a retry would fail in the same way.
fn begin<P: Process>(context: Arc<P::Context>, start: Start<P::State>) -> HandlerResult<Snapshot> {
    let mut machine = Machine::<P>::with_context(context).options(start.options);
    machine.start(start.state).map_err(|error| start_error(&error))?;
    Ok(machine.snapshot().map_err(|error| start_error(&error))?)
}

fn start_error(error: &dyn std::error::Error) -> TerminalError {
    TerminalError::new_with_code(400, format!("the run can't start: {error}"))
}

/// The error for a node with another version of the process than the run. It is not terminal, since the
/// run is valid: it continues once a node has the version that it was started with.
#[derive(thiserror::Error)]
#[error(
    "this node has another version of the process than the run was started with, so the run waits: {0}. \
     Register changed code under its own address, and let the old version finish its runs"
)]
struct VersionMismatchError(#[source] SnapshotError);

// The SDK reports errors by their `Debug`.
impl fmt::Debug for VersionMismatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
