//! The error of a run that has failed.

use std::{any::Any, convert::Infallible, error::Error, fmt};

use cot_engine::{Ending, Halt, HaltReason, Process, TaskId, internal::map_ending};
use cot_model::Usage;
use cot_schema::debug_as_sentence;
use cot_store::RunId;

/// The error of a run that halted or reached a `fail` task. It holds the report of the run.
///
/// Its message names the run, the task and the reason, and contains neither the state nor prompts.
///
/// ```
/// # use cot_core::{Process, RunError, RunReport, Runner};
/// # #[allow(dead_code, reason = "no process is declared here")]
/// async fn log<P: Process>(runner: &Runner<P>, state: P::State) -> Result<(), RunError> {
///     match runner.run(state).await {
///         Err(RunError::Failed(failed)) => {
///             eprintln!("{failed}, after {} calls", failed.usage().calls);
///             let report = failed.report::<RunReport<P>>().expect("it is a run of this process");
///             eprintln!("{:?}", report.history);
///             Err(failed.into())
///         }
///         ended => ended.map(drop),
///     }
/// }
/// ```
pub struct FailedRunError(Box<Failed>);

struct Failed {
    process: &'static str,
    run_id: RunId,
    ending: Ending<&'static str>,
    usage: Usage,
    report: Box<dyn Any + Send + Sync>,
}

impl FailedRunError {
    pub(crate) fn new<P: Process>(
        (run_id, ending): (RunId, Ending<P::Task>),
        usage: Usage,
        report: impl Any + Send + Sync,
    ) -> Self {
        let Ok(ending) = map_ending(ending, |task| Ok::<_, Infallible>(task.name()));
        let process = P::DEFINITION.about.name;
        Self(Box::new(Failed { process, run_id, ending, usage, report: Box::new(report) }))
    }

    /// Returns the name of the process.
    #[must_use]
    pub const fn process(&self) -> &'static str {
        self.0.process
    }

    /// Returns the name of the run: its name in the store, or a generated one if it is not stored.
    #[must_use]
    pub const fn run_id(&self) -> &RunId {
        &self.0.run_id
    }

    /// Returns how the run ended: at a `fail` task with its message, or with a halt, with its reason and the
    /// failed attempts.
    #[must_use]
    pub const fn ending(&self) -> &Ending<&'static str> {
        &self.0.ending
    }

    /// Returns the total usage of the model calls of the run.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.0.usage
    }

    /// Returns the report, with the outcome, the state and, if the run halted, a snapshot from which it can be
    /// resumed. Its type is the [`RunReport`](crate::RunReport) of the process; for a task that was run alone,
    /// its [`TaskRun`](crate::TaskRun). `None` if `R` is another type.
    #[must_use]
    pub fn report<R: 'static>(&self) -> Option<&R> {
        self.0.report.downcast_ref()
    }

    /// Converts the error into the [report](Self::report).
    ///
    /// # Errors
    ///
    /// Returns the error unchanged if its report is of another type.
    pub fn into_report<R: 'static>(self) -> Result<R, Self> {
        let failed = *self.0;
        match failed.report.downcast() {
            Ok(report) => Ok(*report),
            Err(report) => Err(Self(Box::new(Failed { report, ..failed }))),
        }
    }
}

impl fmt::Display for FailedRunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failed { process, run_id, ending, .. } = &*self.0;
        write!(f, "run `{run_id}` of `{process}` ")?;
        match ending {
            Ending::Halted(halt) => write!(f, "halted at {halt}"),
            Ending::Fail(task, why) if why.is_empty() => write!(f, "failed at task `{task}`"),
            Ending::Fail(task, why) => write!(f, "failed at task `{task}`: {why}"),
            Ending::End(task) | Ending::RanOut(task) => write!(f, "ended at task `{task}`"),
        }
    }
}

impl Error for FailedRunError {
    /// Returns the cause of the error in the message.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0.ending {
            Ending::Halted(Halt { reason: HaltReason::Unreachable(error), .. }) => error.source(),
            _ => None,
        }
    }
}

debug_as_sentence!(FailedRunError);
