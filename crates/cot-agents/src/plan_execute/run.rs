//! Runs a chain, and mirrors its state into the context of the caller.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::Poll,
};

use cot_engine::{Attempt, Failure, HaltReason, RunEvent};
use cot_runtime::{ActiveRun, RunError, RunReport};
use futures_core::Stream;

use super::{
    chain::ChainOfThought,
    context::{Context, Ending},
    error::ChainError,
    process::{PlanExecute, PlanExecuteOutcome, PlanExecuteTask},
    progress::Progress,
};
use crate::tools::Tool;

/// What a run has done so far.
#[derive(Default)]
struct Mirror {
    /// The state after the last commit.
    state: Context,
    /// Whether the state is newer than the context of the caller.
    is_new: bool,
    /// Whether the state is that of a commit of this run.
    has_commit: bool,
    /// Whether a call that is made once may have taken effect since the last commit.
    is_calling: bool,
}

type SharedMirror = Arc<Mutex<Mirror>>;

impl ChainOfThought {
    /// Runs the chain: plans, then works, until the model replies *stop* and there is an answer. The context
    /// then holds the answer.
    ///
    /// A context with a plan is resumed from its position; a context whose run has ended is not changed, and
    /// has the same result again. Dropping the future cancels the calls in flight; the context keeps the work
    /// until then. When the run is resumed, calls of tools that were in flight are made again with those beside
    /// them; a call that is made [once](Tool::once) is not, and the model receives an error in place of its
    /// result. With a [store](Self::store), the run is resumed from there.
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
        let mirror = SharedMirror::default();
        lock(&mirror).state = context.clone();
        let run = self.start(&mirror, context.clone())?;
        let report = mirrored(run, &mirror, context).await?;
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
        if let Some(person) = self.person.clone() {
            let approved = Arc::clone(mirror);
            runner = runner.person(move |question| {
                let (answer, approved) = (person(question), Arc::clone(&approved));
                async move {
                    let answer = answer.await;
                    lock(&approved).is_calling |= answer.approved;
                    answer
                }
            });
        }
        let observed = Arc::clone(mirror);
        let (reporter, tools) = (self.reporter(), self.tools.clone());
        runner = runner.observe(move |event, _| {
            let mut mirror = lock(&observed);
            // A call that needs approval starts after it.
            let starts = |tool: &Tool| tool.is_once() && !tool.listed.needs_approval;
            if let RunEvent::ToolCalled { tool, .. } = event {
                mirror.is_calling |= tools.find(tool).is_some_and(starts);
            }
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
            PlanExecuteOutcome::Halted(halt) if halt.task == PlanExecuteTask::StepLimit => {
                return Err(ChainError::StepLimit { limit: self.max_steps });
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

/// Drives a run to its end. The context has the state of the last commit whenever the future is dropped.
async fn mirrored(
    mut run: ActiveRun<PlanExecute>,
    mirror: &SharedMirror,
    context: &mut Context,
) -> Result<RunReport<PlanExecute>, RunError> {
    let (mut has_ended, mut is_opened, mut is_same_run) = (false, false, false);
    while !has_ended {
        has_ended = poll_fn(|cx| {
            let event = Pin::new(&mut run).poll_next(cx);
            let mut mirror = lock(mirror);
            if !is_opened && !run.is_opening() {
                is_opened = true;
                mirror.open(run.machine().state());
            }
            if std::mem::take(&mut mirror.is_new) {
                match std::mem::replace(&mut is_same_run, true) {
                    true => context.catch_up(&mirror.state),
                    false => context.clone_from(&mirror.state),
                }
            }
            context.was_calling |= mirror.is_calling;
            context.usage = mirror.state.usage + run.machine().usage();
            match event {
                Poll::Ready(event) => Poll::Ready(event.is_none()),
                Poll::Pending => Poll::Pending,
            }
        })
        .await;
    }
    run.finish().report().await
}

fn lock(mirror: &SharedMirror) -> MutexGuard<'_, Mirror> {
    // No code of users runs while the lock is held, so the state is whole.
    mirror.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mirror {
    /// Copies the state of a run that is opened, which can be a stored one.
    fn open(&mut self, state: Option<&Context>) {
        if let Some(state) = state.filter(|_| !self.has_commit) {
            self.state.clone_from(state);
            self.is_new = true;
        }
    }

    /// Copies the state of a commit. The first one can be of a stored run, which has other work.
    fn commit(&mut self, state: &Context) {
        match self.has_commit {
            true => self.state.catch_up(state),
            false => self.state.clone_from(state),
        }
        (self.is_new, self.has_commit, self.is_calling) = (true, true, false);
    }
}
