//! Runs a chain in the context of the caller.

use cot_engine::{Attempt, Failure, HaltReason, ProcessEvent};
use cot_runtime::{ActiveRun, RunError, RunReport};

use super::{
    chain::ChainOfThought,
    context::Context,
    ending::Ending,
    error::ChainError,
    process::{PlanExecute, PlanExecuteOutcome, PlanExecuteTask},
    progress::{Progress, progress},
    tool,
};
use crate::tools::{Tool, ToolSet};

/// A run that leaves the state after its last commit in the context of the caller, also if it is dropped.
struct KeptRun<'c> {
    run: Option<ActiveRun<PlanExecute>>,
    context: &'c mut Context,
    tools: &'c ToolSet,
}

impl ChainOfThought {
    /// Runs the chain: plans, then works, until the model replies *stop* and there is an answer. The context
    /// then holds the answer.
    ///
    /// A context with a plan is resumed from its position; a context whose run has ended is not changed, and
    /// has the same result again. Dropping the future cancels the calls in flight; the context keeps the work
    /// until then. When the run is resumed, calls of tools that were in flight are made again with those beside
    /// them; a call that is made [once](Tool::once) is not, and the model receives an error in place of its
    /// result. With a [store](Self::configure), the run is resumed from there.
    ///
    /// # Errors
    ///
    /// Fails if a tool is invalid, before the first call, and whenever the run ends without an answer. The
    /// context keeps the work until then. Another call of `run` continues it, unless it
    /// has an [`ending`](Context::ending).
    pub async fn run(&self, context: &mut Context) -> Result<(), ChainError> {
        if let Some(name) = tool::invalid_name(&self.tools) {
            return Err(ChainError::ToolName { name: name.to_owned() });
        }
        let runner = self.runner();
        runner.check_responders()?;
        if let Some(ending) = &context.ending {
            return result(ending);
        }
        let run = Some(runner.start(context.clone())?);
        let run = KeptRun { run, context: &mut *context, tools: &self.tools };
        let report = run.report(|event, state| {
            let observer = self.observer.as_ref()?;
            observer(&progress(event, state, &self.tools)?);
            Some(())
        });
        let report = report.await?;
        let ended = self.finish(report, context);
        if let (Some(ending), Some(observer)) = (&context.ending, &self.observer) {
            let (ending, answer) = (ending.clone(), context.answer.clone());
            observer(&Progress::Ended { ending, answer });
        }
        ended
    }

    /// Stores the result of a run in the context.
    fn finish(
        &self,
        report: RunReport<PlanExecute>,
        context: &mut Context,
    ) -> Result<(), ChainError> {
        *context = report.state;
        context.usage += report.usage;
        let ending = match report.outcome {
            PlanExecuteOutcome::Truncated(_) => Ending::Truncated,
            PlanExecuteOutcome::Refused(_) => Ending::Refused,
            PlanExecuteOutcome::Halted(halt) if halt.task == PlanExecuteTask::StepLimit => {
                return Err(ChainError::StepLimit { limit: self.limits.steps });
            }
            PlanExecuteOutcome::Halted(halt) => {
                let unreached = halt.attempts.iter().filter(|attempt| !reached(attempt)).count();
                context.usage.calls = context.usage.calls.saturating_sub(unreached as u64);
                return Err(halt.reason.into());
            }
            _ => return context.ending.as_ref().map_or(Ok(()), result),
        };
        context.end(ending.clone());
        result(&ending)
    }
}

impl From<HaltReason> for ChainError {
    fn from(reason: HaltReason) -> Self {
        match reason {
            HaltReason::Unreachable(error) => Self::Model(error),
            HaltReason::Budget(budget) => Self::Budget(budget),
            HaltReason::TaskTimeout(limit) | HaltReason::RunTimeout(limit) => Self::TimedOut(limit),
            reason => Self::Halted(reason),
        }
    }
}

/// Returns whether an attempt has reached a model. A context counts no other calls.
fn reached(attempt: &Attempt) -> bool {
    attempt.failure != Failure::Unreachable
}

/// Returns the result of a run that has ended.
fn result(ending: &Ending) -> Result<(), ChainError> {
    match ending {
        Ending::Stopped => Ok(()),
        Ending::Unreadable(issues) => Err(ChainError::Unreadable(issues.clone())),
        Ending::Truncated => Err(ChainError::Truncated),
        Ending::Refused => Err(ChainError::Refused),
    }
}

impl KeptRun<'_> {
    /// Drives the run to its end. `observe` receives its events, with the state after the last commit.
    async fn report(
        mut self,
        observe: impl Fn(&ProcessEvent<PlanExecute>, &Context) -> Option<()>,
    ) -> Result<RunReport<PlanExecute>, RunError> {
        while let Some(run) = &mut self.run
            && let Some(event) = run.next().await
        {
            run.machine().state().and_then(|state| observe(&event, state));
        }
        self.keep();
        self.run.take().ok_or(RunError::NotStarted)?.finish().report().await
    }

    /// Copies the state after the last commit, which is that of a stored run once the run is opened.
    fn keep(&mut self) {
        let Some(run) = self.run.as_mut().filter(|run| !run.is_opening()) else { return };
        let is_asked = run.question().is_some();
        let machine = run.machine();
        let Some(state) = machine.state() else { return };
        self.context.clone_from(state);
        self.context.usage += machine.usage();
        let next = state.calls.first().and_then(|call| self.tools.find(&call.name));
        let is_at_call = machine.task() == Some(PlanExecuteTask::CallTools) && !is_asked;
        self.context.was_calling = is_at_call && next.is_some_and(Tool::is_once);
    }
}

impl Drop for KeptRun<'_> {
    fn drop(&mut self) {
        self.keep();
    }
}
