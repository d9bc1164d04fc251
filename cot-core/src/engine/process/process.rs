//! What the macro generates for a process, as traits.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    __private::ProcessList,
    Models, PreflightError,
    engine::{
        process::{
            schemas::cache::SchemaCache,
            tables::{Code, Definition},
        },
        values::outcome::Ending,
    },
    runner::preflight,
};

/// A process that `cot_process!` declared.
///
/// Implemented by the macro alone; the hidden items are a contract between the two crates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a process",
    label = "is not declared by `cot_process!`",
    note = "a sub-process is named by the process that it runs: `process: Name`, beside another `cot_process!`"
)]
pub trait Process: Sized + Send + Sync + 'static {
    /// The shared state.
    type State: State + Send + Sync + 'static;
    /// The tasks, one variant each.
    type Task: TaskId;
    /// The outputs, one variant for each task that has one.
    type Output: Clone + Debug + Serialize + Send + Sync + 'static;
    /// How a run can end.
    type Outcome: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// Whether a process can run with some models: each engine that its AI tasks name is there, those
    /// within its sub-processes too, and can take the schema of the replies that it would be asked
    /// for, with all transitions visible. A runner looks for the same before the first call.
    ///
    /// # Errors
    ///
    /// All that is missing, and all that can't be taken: which task, which engine, and why.
    fn preflight(models: &Models) -> Result<(), PreflightError> {
        preflight::<Self>(models)
    }

    #[doc(hidden)]
    const DEFINITION: &'static Definition;
    /// The processes that its tasks run, as a list of types.
    #[doc(hidden)]
    type Within: ProcessList;
    /// Where it is declared, which no other process has.
    #[doc(hidden)]
    const PLACE: &'static str;
    #[doc(hidden)]
    const CODE: &'static Code<Self>;
    #[doc(hidden)]
    fn schemas() -> &'static SchemaCache;
    #[doc(hidden)]
    fn outcome(ending: Ending<Self::Task>) -> Self::Outcome;
}

/// What a type must be to serve as the state of a process.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the state of a process",
    label = "lacks `Serialize`, `Deserialize` or `Clone`",
    note = "add `#[derive(Clone, serde::Serialize, serde::Deserialize)]` to the type"
)]
pub trait State: Serialize + DeserializeOwned + Clone {}

#[diagnostic::do_not_recommend]
impl<S: Serialize + DeserializeOwned + Clone> State for S {}

/// The generated enum of a process's tasks.
pub trait TaskId: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// All tasks, in the order of their declaration.
    const ALL: &'static [Self];

    /// The task's name as declared.
    fn name(self) -> &'static str;
}
