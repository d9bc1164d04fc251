//! What a `process_output` chooses.

use cot_schema::Issues;

use super::TaskInputs;
use crate::process::tables::Chosen;

/// An enum of the tasks that a `process_output` may choose.
pub trait Choice {
    /// The task, and the inputs for it.
    fn chosen(self) -> Chosen;
}

/// What a `process_output` function returns.
pub trait Processed<T> {
    /// The result in one form.
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

/// The choice of a task that takes no inputs.
#[must_use]
pub const fn to(task: usize) -> Chosen {
    Chosen { task, inputs: None }
}

/// The choice of a task with its inputs.
pub fn to_with<T: TaskInputs>(task: usize, inputs: T) -> Chosen {
    Chosen { task, inputs: Some(inputs.deliver()) }
}
