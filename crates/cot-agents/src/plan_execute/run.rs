//! Runs a chain, and mirrors its state into the context of the caller.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use cot_engine::{Attempt, Failure, FunctionError, HaltReason, ProcessEvent, RunEvent};
use cot_model::Usage;
use cot_runtime::{ActiveRun, RunError, RunReport};
use futures_core::Stream;

use super::{
    action::Action,
    chain::ChainOfThought,
    context::{Context, Ending},
    error::ChainError,
    process::{PlanExecute, PlanExecuteOutcome},
    progress::Progress,
    tool,
    work::Work,
};

/// What a run has done so far.
#[derive(Default)]
struct Mirror {
    /// The state after the last commit.
    state: Context,
    /// Whether the state is newer than the context of the caller.
    is_new: bool,
    /// Whether the state is that of a commit of this run.
    has_commit: bool,
    /// The usage of the run.
    usage: Usage,
}

type SharedMirror = Arc<Mutex<Mirror>>;

/// The result of a call for which it is not known whether it took effect.
const INTERRUPTED: &str = "it is not known whether the call took effect";

impl ChainOfThought {
    /// Runs the chain: plans, then works, until the model replies *stop* and there is an answer. The context
    /// then holds the answer.
    ///
    /// A context with a plan is resumed from its position; a context whose run has ended is not changed, and
    /// has the same result again. Dropping the future cancels the call in flight; the context keeps the work
    /// until then, and a tool that was in flight is called again when the run is resumed. With a
    /// [store](Self::store), the run is resumed from there.
    ///
    /// # Errors
    ///
    /// Fails if a tool is invalid, before the first call, and whenever the run ends without an answer. The
    /// context keeps the work until then. Another call of `run` continues it, unless it
    /// has an [`ending`](Context::ending).
    pub async fn run(&self, context: &mut Context) -> Result<(), ChainError> {
        self.check()?;
        if let Some(ending) = &context.ending {
            return result(ending);
        }
        if self.max_steps == 0 && context.action == Some(Action::Continue) {
            return Err(ChainError::StepLimit { limit: 0 });
        }
        context.begin_run(!tool::can_be_native(&self.tools));
        let mirror = SharedMirror::default();
        lock(&mirror).state = context.clone();
        let run = self.start(&mirror, context.clone()).map_err(run_error)?;
        let report = mirrored(run, &mirror, context).await.map_err(run_error)?;
        let ended = self.finish(report, context);
        if let (Some(ending), Some(observer)) = (&context.ending, &self.observer) {
            let (ending, answer) = (ending.clone(), context.answer.clone());
            observer(&Progress::Ended { ending, answer });
        }
        ended
    }

    fn start(
        &self,
        mirror: &SharedMirror,
        state: Context,
    ) -> Result<ActiveRun<PlanExecute>, RunError> {
        let mut runner = self.runner();
        let committed = Arc::clone(mirror);
        runner = runner.after_commit(move |commit| {
            lock(&committed).commit(commit.state);
        });
        let observed = Arc::clone(mirror);
        let reporter = self.reporter();
        runner = runner.observe(move |event, _| {
            let mut mirror = lock(&observed);
            mirror.count(event);
            let Some(reporter) = &reporter else { return };
            let progress = reporter.progress(event, &mirror.state);
            drop(mirror);
            reporter.report(progress);
        });
        runner.start(state)
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
            PlanExecuteOutcome::StepLimit(_) => {
                return Err(ChainError::StepLimit { limit: self.max_steps });
            }
            PlanExecuteOutcome::Interrupted(_) => {
                context.interrupt_calls();
                return Err(ChainError::Interrupted);
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

impl Context {
    /// Ends the requested calls, so that they are not made again.
    fn interrupt_calls(&mut self) {
        let calls = self.requested_calls().into_iter().map(|call| Work::Tool {
            name: call.name,
            arguments: tool::read_json(&call.arguments),
            result: Err(INTERRUPTED.to_owned()),
        });
        self.add_calls(calls.collect::<Vec<_>>());
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

fn run_error(error: RunError) -> ChainError {
    ChainError::Run { message: FunctionError::from_error(&error).to_string() }
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

/// Drives a run to its end. The context has the state of the last commit whenever the future is dropped.
async fn mirrored(
    mut run: ActiveRun<PlanExecute>,
    mirror: &SharedMirror,
    context: &mut Context,
) -> Result<RunReport<PlanExecute>, RunError> {
    let usage = context.usage;
    let (mut has_ended, mut is_same_run) = (false, false);
    while !has_ended {
        has_ended = poll_fn(|cx| {
            let event = Pin::new(&mut run).poll_next(cx);
            let mut mirror = lock(mirror);
            if std::mem::take(&mut mirror.is_new) {
                match std::mem::replace(&mut is_same_run, true) {
                    true => context.catch_up(&mirror.state),
                    false => context.clone_from(&mirror.state),
                }
            }
            context.usage = usage + mirror.usage;
            match event {
                Poll::Ready(event) => Poll::Ready(event.is_none()),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
    }
    run.finish().await
}

fn lock(mirror: &SharedMirror) -> MutexGuard<'_, Mirror> {
    // No code of users runs while the lock is held, so the state is whole.
    mirror.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mirror {
    /// Copies the state of a commit. The first one can be of a stored run, which has other work.
    fn commit(&mut self, state: &Context) {
        match self.has_commit {
            true => self.state.catch_up(state),
            false => self.state.clone_from(state),
        }
        (self.is_new, self.has_commit) = (true, true);
    }

    fn count(&mut self, event: &ProcessEvent<PlanExecute>) {
        match event {
            RunEvent::Committed { usage, .. } => self.usage += *usage,
            RunEvent::AttemptFailed { attempt, .. } if reached(attempt) => {
                self.usage += attempt.usage;
            }
            _ => {}
        }
    }
}
