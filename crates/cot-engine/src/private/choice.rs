//! The choices and results of `process_output` functions.

use cot_schema::Issues;

use super::TaskInputs;
use crate::process::tables::Chosen;

/// The generated enum of the tasks that a `process_output` may choose.
pub trait Choice {
    /// Returns the chosen task with its inputs.
    fn chosen(self) -> Chosen;
}

/// The return type of a `process_output` function: a value, or a result.
pub trait Processed<T> {
    /// Converts the value into a result.
    fn into_result(self) -> Result<T, Issues>;
}

#[diagnostic::do_not_recommend]
impl<T> Processed<T> for T {
    fn into_result(self) -> Result<T, Issues> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Processed<T> for Result<T, Issues> {
    fn into_result(self) -> Self {
        self
    }
}

/// Creates the choice of a task without inputs.
#[must_use]
pub const fn to(task: usize) -> Chosen {
    Chosen { task, inputs: None }
}

/// Creates the choice of a task with inputs.
pub fn to_with<T: TaskInputs>(task: usize, inputs: T) -> Chosen {
    Chosen { task, inputs: Some(inputs.deliver()) }
}
