//! The choices and results of `process_output` functions.

use cot_schema::Issues;

use super::TaskInputs;
use crate::process::tables::ChosenTask;

/// The generated enum of the tasks that a `process_output` may choose, or an `Option` of it.
pub trait Choice {
    /// Returns the chosen task with its inputs; `None` for the task that `next` gives.
    fn chosen(self) -> Option<ChosenTask>;
}

impl<C: Choice> Choice for Option<C> {
    fn chosen(self) -> Option<ChosenTask> {
        self.and_then(C::chosen)
    }
}

/// The return type of a `process_output` function: a value, or a result.
pub trait ProcessOutputResult<T> {
    /// Converts the value into a result.
    fn into_checked_choice(self) -> Result<T, Issues>;
}

#[diagnostic::do_not_recommend]
impl<T> ProcessOutputResult<T> for T {
    fn into_checked_choice(self) -> Result<T, Issues> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> ProcessOutputResult<T> for Result<T, Issues> {
    fn into_checked_choice(self) -> Self {
        self
    }
}

/// Creates the choice of a task without inputs.
#[must_use]
pub const fn to(task: usize) -> ChosenTask {
    ChosenTask { task, inputs: None }
}

/// Creates the choice of a task with inputs.
pub fn to_with<T: TaskInputs>(task: usize, inputs: T) -> ChosenTask {
    ChosenTask { task, inputs: Some(inputs.deliver()) }
}
