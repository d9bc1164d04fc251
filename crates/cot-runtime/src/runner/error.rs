//! Why a run could not be started or kept.

use cot_engine::{SnapshotError, StartError};
use cot_schema::Issues;
use cot_store::{BadRunId, RunId, StoreError};

use crate::{
    capture::error::ReplayError,
    preflight::{missing_models::MissingModels, preflight_error::UnfitSchemas},
};

/// Why a run could not be started, or could not be kept. How a run *ended* is its outcome, never an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The process can't start from what it was given.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The process names engines that the runner has no model for. No model was called.
    #[error(transparent)]
    MissingModels(#[from] MissingModels),
    /// Engines can't take the schemas of replies that they would be asked for. No model was called.
    #[error(transparent)]
    UnfitSchemas(#[from] UnfitSchemas),
    /// The machine that was handed in has not been started.
    #[error(
        "the machine has not been started: call `Machine::start`, or give `Runner::run` a state"
    )]
    NotStarted,
    /// The process has human tasks, and nobody is there to answer: the run would wait for ever. No
    /// model was called.
    #[error(
        "{} ask people, and nobody is there to answer: give `Runner::person`, keep the run in a \
         `Runner::store`, or start it with `Runner::start` and answer through its handle", listed(.tasks)
    )]
    NobodyAnswers {
        /// The human tasks, those of sub-processes too.
        tasks: Vec<&'static str>,
    },
    /// The capture is not one of this process.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A run of a store was meant, and the runner has none.
    #[error("the runner keeps its runs nowhere: give it a `Runner::store`")]
    NoStore,
    /// The name of a run is none.
    #[error(transparent)]
    RunId(#[from] BadRunId),
    /// The run could not be kept in its store, and was stopped. What was written before is kept, and the run
    /// goes on from there when it is resumed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run can't go on from what the store holds, or can't be written into it.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// Code of the process or of the runner panicked while the run was resumed: a migration,
    /// [`complete_resumed`](crate::Runner::complete_resumed), or the `Deserialize` of the state. Nothing was
    /// written, and the run can be resumed again.
    #[error("a panic kept run `{run}` from being resumed: {said}")]
    Panicked {
        /// The run.
        run: RunId,
        /// What the panic said, shortened.
        said: String,
    },
    /// What happened last in a run does not answer what the run comes to now.
    #[error(
        "entry {entry} of run `{run}` answers {answers}, and the run now comes to {asks}: the code that leads \
         there has changed since; bring it back, or fork the run from its last step"
    )]
    Diverged {
        /// The run.
        run: RunId,
        /// The number of the entry in its journal.
        entry: u64,
        /// What it answers.
        answers: String,
        /// What the run comes to.
        asks: String,
    },
}

/// Why an answer to the question of a human task was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The answer is not valid.
    #[error("the answer is not valid: {0}")]
    Refused(Issues),
    /// The answer can't be written as JSON.
    #[error("the answer can't be written as JSON")]
    Json(#[source] serde_json::Error),
    /// The run does not wait for an answer now.
    #[error("no question is asked now")]
    NotAsked,
    /// The run is over, or was dropped.
    #[error("the run is over")]
    Over,
}

fn listed(tasks: &[&str]) -> String {
    let quoted: Vec<String> = tasks.iter().map(|task| format!("`{task}`")).collect();
    quoted.join(", ")
}
