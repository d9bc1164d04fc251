//! The run of a single task.

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
};

use cot_engine::{Attempt, Ending, Halt, Inputs, Process, Route, RunEvent, TaskId};
use cot_model::{BoxFuture, Usage};
use cot_store::RunId;

use crate::{
    driver::{driven_run::TypedRun, driver::Driver},
    persistence::persistence::Persistence,
    runner::{builder::Runner, error::RunError, failed::FailedRunError},
};

impl<P: Process> Runner<P> {
    /// Runs a single task from any state, including its retries, checks and commit. Only what this task
    /// needs has to be configured: its engines, or its mock in mock mode.
    ///
    /// The future is an error if the task fails; in the cases of [`start`](Self::start); if the task takes inputs;
    /// and if it asks people and there is no [`person`](Self::person) to answer.
    pub fn run_task(&self, task: P::Task, state: P::State) -> TaskFuture<P> {
        TaskFuture::new(start(self, task, None, state))
    }

    /// Runs a single task from any state, like [`run_task`](Self::run_task), with the inputs that a transition
    /// would pass to it.
    pub fn run_task_with(&self, task: P::Task, inputs: Inputs, state: P::State) -> TaskFuture<P> {
        TaskFuture::new(start(self, task, Some(inputs), state))
    }
}

/// The future of a task that is run alone: resolves to its result, or to an error if the task has failed.
/// [`report`](Self::report) gives every end as a value.
#[must_use = "a task does nothing unless awaited"]
pub struct TaskFuture<P: Process>(BoxFuture<'static, Result<TaskRun<P>, RunError>>);

impl<P: Process> TaskFuture<P> {
    fn new(driver: Result<Driver<TypedRun<P>>, RunError>) -> Self {
        Self(Box::pin(async { TaskRun::finish(driver?).await }))
    }

    /// Runs the task and returns its result, also if the task has failed: [`TaskRun::halt`] tells. An error
    /// means that the task could not be started.
    pub fn report(self) -> impl Future<Output = Result<TaskRun<P>, RunError>> + Send + use<P> {
        self.0
    }
}

/// Starts a run of a single task.
fn start<P: Process>(
    runner: &Runner<P>,
    task: P::Task,
    inputs: Option<Inputs>,
    state: P::State,
) -> Result<Driver<TypedRun<P>>, RunError> {
    let Runner { config, typed, trace_context, .. } = runner;
    config.check_responder(config.task(task.name()), &|tool| typed.asks(tool))?;
    let mut machine = typed.new_machine(config);
    machine.start_task(task, inputs, state)?;
    config.check(Some(task.name()))?;
    Ok(Driver::new(machine, (config, typed), trace_context.as_ref(), Persistence::Disabled))
}

impl<P: Process> Future for TaskFuture<P> {
    type Output = Result<TaskRun<P>, RunError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(cx).map(|run| run.and_then(TaskRun::into_result))
    }
}

impl<P: Process> fmt::Debug for TaskFuture<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskFuture").finish_non_exhaustive()
    }
}

/// The report of a task that was run alone.
#[non_exhaustive]
pub struct TaskRun<P: Process> {
    /// How the task ended.
    pub end: TaskEnd<P>,
    /// The state after the task.
    pub state: P::State,
    /// The failed attempts.
    pub attempts: Vec<Attempt>,
    /// The total usage of its calls.
    pub usage: Usage,
    /// A generated name, which observers get [with each event](crate::runner::observer::EventContext).
    pub run_id: RunId,
    ending: Option<Ending<P::Task>>,
}

/// How a task that was run alone ended.
#[derive(Clone)]
#[non_exhaustive]
pub enum TaskEnd<P: Process> {
    /// The task succeeded; its output, if it has one, was committed. A task that took the only open transition
    /// without a call has none.
    Done {
        /// The output.
        output: Option<P::Output>,
        /// The next task; `None` where a run would end or return to a calling task.
        next: Option<P::Task>,
    },
    /// The model chose a transition to another task.
    Went {
        /// The chosen task.
        go_to: P::Task,
        /// The model's intent for the chosen task.
        intent: String,
        /// The step that the model plans after that task.
        step_after: String,
    },
    /// The task failed. Nothing was committed, and no `on` route was taken.
    Halted(Box<Halt<P::Task>>),
}

impl<P: Process> TaskRun<P> {
    /// Drives the run until the task has ended.
    pub(crate) async fn finish(mut driver: Driver<TypedRun<P>>) -> Result<Self, RunError> {
        driver.erased().set_stream(true);
        let mut attempts = Vec::new();
        let (mut output, mut next, mut transition) = (None, None, None);
        while let Some(event) = poll_fn(|cx| driver.poll_event(cx)).await {
            match event {
                RunEvent::AttemptFailed { attempt, .. } => attempts.push(attempt),
                RunEvent::Committed { output: committed, .. } => output = Some(committed),
                RunEvent::Transitioned { go_to, intent, step_after, .. } => {
                    transition = Some(TaskEnd::Went { go_to, intent, step_after });
                }
                RunEvent::TaskFinished { next: target, route, .. } if route != Route::End => {
                    next = target;
                }
                _ => {}
            }
        }
        let (ending, usage) = (driver.run.machine.ending(), driver.run.machine.usage());
        let end = match (&ending, transition) {
            (Some(Ending::Halted(halt)), _) => TaskEnd::Halted(Box::new(halt.clone())),
            (_, Some(transition)) => transition,
            (_, None) => TaskEnd::Done { output, next },
        };
        let run_id = driver.run.emitter.run_id().clone();
        let state = driver.into_machine().into_state().ok_or(RunError::NotStarted)?;
        Ok(Self { end, state, attempts, usage, run_id, ending })
    }

    /// A task that halted, or a `fail` task, is an error.
    fn into_result(self) -> Result<Self, RunError> {
        match &self.ending {
            Some(ending) if ending.why().is_some() => {
                let end = (self.run_id.clone(), ending.clone());
                Err(FailedRunError::new::<P>(end, self.usage, self).into())
            }
            _ => Ok(self),
        }
    }

    /// Returns the output, if the task succeeded and has one.
    #[must_use]
    pub const fn output(&self) -> Option<&P::Output> {
        match &self.end {
            TaskEnd::Done { output, .. } => output.as_ref(),
            _ => None,
        }
    }

    /// Returns the reason of the failure, if the task failed.
    #[must_use]
    pub fn halt(&self) -> Option<&Halt<P::Task>> {
        match &self.end {
            TaskEnd::Halted(halt) => Some(halt),
            _ => None,
        }
    }
}

impl<P: Process> fmt::Debug for TaskRun<P>
where
    P::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskRun")
            .field("end", &self.end)
            .field("state", &self.state)
            .field("attempts", &self.attempts)
            .field("usage", &self.usage)
            .field("run_id", &self.run_id)
            .finish()
    }
}

impl<P: Process> fmt::Debug for TaskEnd<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done { output, next } => {
                let next = next.map(TaskId::name);
                f.debug_struct("Done").field("output", output).field("next", &next).finish()
            }
            Self::Went { go_to, intent, step_after } => f
                .debug_struct("Went")
                .field("go_to", go_to)
                .field("intent", intent)
                .field("step_after", step_after)
                .finish(),
            Self::Halted(halt) => f.debug_tuple("Halted").field(halt).finish(),
        }
    }
}
