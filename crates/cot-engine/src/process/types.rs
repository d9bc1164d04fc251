//! The types of a process.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
};

use serde::{Serialize, de::DeserializeOwned};

/// The types of a process, without its tables.
///
/// Only the macro implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a process [COT0129]",
    label = "is not declared by `cot_process!`",
    note = "name a process that another `cot_process!` declares: `process: Name`"
)]
pub trait ProcessTypes: Sized + Send + Sync + 'static {
    /// The state.
    type State: State + Send + Sync + 'static;
    /// The enum of the tasks.
    type Task: TaskId;
    /// The enum of the outputs, with a variant for each task that has one.
    type Output: Clone + Debug + Serialize + Send + Sync + 'static;
    /// The context that the program gives to the functions of the process; `()` if it declares none.
    type Context: Send + Sync + 'static;
    /// The outcome of a run.
    type Outcome: Clone + PartialEq + Debug + Send + Sync + 'static;
}

/// A process that declares a context.
///
/// Only the macro implements it.
#[diagnostic::on_unimplemented(
    message = "process `{Self}` has no context [COT0232]",
    label = "there is no context here",
    note = "declare the type of what the program gives to the functions: `context: App` in the process"
)]
pub trait HasContext: ProcessTypes<Context = <Self as HasContext>::App> {
    /// The context.
    type App: Send + Sync + 'static;
}

/// The requirements on the state of a process.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the state of a process [COT0135]",
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

    /// Returns the declared name of the task.
    fn name(self) -> &'static str;
}
