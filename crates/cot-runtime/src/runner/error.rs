//! The errors of starting, persisting and answering a run.

use cot_engine::{SnapshotError, StartError};
use cot_schema::{Issues, debug_as_sentence};
use cot_store::{ParseRunIdError, RunId, StoreError};

use crate::{
    capture::error::ReplayError,
    preflight::{
        missing_models::MissingModelsError, preflight_error::UnsupportedSchemasError,
        transactions_error::TransactionsError, unaccepted_media::UnacceptedMediaError,
    },
    runner::failed::FailedRunError,
};

/// The error of a run that has failed, or that could not be started or persisted.
///
/// Its `Debug` form is a sentence with the causes, so that a `main` can return it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The run halted or reached a `fail` task. [`Runner::report`](crate::Runner::report) has such an end as a
    /// value.
    #[error(transparent)]
    Failed(#[from] FailedRunError),
    /// The process can't start with this state or these inputs.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The process names engines that are not registered. No model was called.
    #[error(transparent)]
    MissingModelsError(#[from] MissingModelsError),
    /// Engines do not support the schemas of replies. No model was called.
    #[error(transparent)]
    UnsupportedSchemasError(#[from] UnsupportedSchemasError),
    /// Engines do not accept the images or documents of prompts. No model was called.
    #[error(transparent)]
    UnacceptedMediaError(#[from] UnacceptedMediaError),
    /// Tasks with `effect: transaction` can't be called with the store of the runner. Nothing was called.
    #[error(transparent)]
    Transactions(#[from] TransactionsError),
    /// The machine was not started.
    #[error(
        "the machine has not been started: call `Machine::start`, or give `Runner::run` a state"
    )]
    NotStarted,
    /// The process has human tasks, but nothing can answer them, so that the run would wait for ever. No
    /// model was called.
    #[error(
        "{} ask people, and nothing can answer them: set `Runner::person` or \
         `Runner::store`, or start the run with `Runner::start` and answer through its handle", listed(.tasks)
    )]
    NobodyAnswers {
        /// The human tasks, including those of sub-processes.
        tasks: Vec<&'static str>,
    },
    /// The capture belongs to another process.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A method that needs a store was called on a runner without one.
    #[error("the runner has no store: set one with `Runner::store`")]
    NoStore,
    /// The name of the run is not valid.
    #[error(transparent)]
    RunId(#[from] ParseRunIdError),
    /// The store failed, and the run was stopped. What was written before is durable, and the run continues
    /// from there when it is resumed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored run can't be resumed by the present code, or the run can't be serialized.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// User code panicked while the run was resumed: a migration,
    /// [`on_resume`](cot_engine::ResumeOptions::on_resume), or the `Deserialize` of the state. Nothing was
    /// written, and the run can be resumed again.
    #[error("run `{run}` could not be resumed because of a panic: {said}")]
    Panicked {
        /// The run.
        run: RunId,
        /// The message of the panic, truncated.
        said: String,
    },
    /// The state of a submitted run can't be read into the state of the process. Nothing was written.
    #[error("the submitted state of run `{run}` can't be read at `{path}`")]
    SubmittedState {
        /// The run.
        run: RunId,
        /// The path within the state.
        path: String,
        /// The deserialization error.
        #[source]
        source: serde_json::Error,
    },
    /// An event in the journal does not answer any call that the present code makes at this point.
    #[error(
        "entry {entry} of run `{run}` answers {answers}, but the run now waits for {asks}: the code \
         has changed since; restore it, or fork the run from its last step"
    )]
    Diverged {
        /// The run.
        run: RunId,
        /// The number of the journal entry.
        entry: u64,
        /// The call that the entry answers.
        answers: String,
        /// The calls that the run makes now.
        asks: String,
    },
}

impl RunError {
    /// Converts the error of resuming a machine. A panic of user code is one of the run, not of its snapshot.
    pub(crate) fn resuming(run: &RunId, error: SnapshotError) -> Self {
        match error {
            SnapshotError::Panicked(said) => Self::Panicked { run: run.clone(), said },
            error => error.into(),
        }
    }
}

debug_as_sentence!(RunError, AnswerError);

/// The error of answering a human task.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The answer is not valid.
    #[error("the answer is not valid: {0}")]
    Refused(Issues),
    /// The answer can't be written as JSON.
    #[error("the answer can't be written as JSON")]
    Json(#[source] serde_json::Error),
    /// The run is not waiting for an answer.
    #[error("the run asks no question now")]
    NotAsked,
    /// The run has ended or was dropped.
    #[error("the run is over")]
    Over,
}

fn listed(tasks: &[&str]) -> String {
    let quoted: Vec<String> = tasks.iter().map(|task| format!("`{task}`")).collect();
    quoted.join(", ")
}
