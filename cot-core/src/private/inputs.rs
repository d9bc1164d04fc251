//! What a transition delivers.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{CodeError, Inputs, Issues};

/// What a type must be to serve as the inputs of a task.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the inputs of a task",
    label = "lacks `Serialize`, `Deserialize`, `Clone`, `Send` or `Sync`",
    note = "add `#[derive(Clone, serde::Serialize, serde::Deserialize)]` to the type"
)]
pub trait TaskInputs: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static> TaskInputs for T {}

/// `with value`.
pub fn deliver<T: TaskInputs>(value: T) -> Inputs {
    Inputs::new(value)
}

/// The inputs of a task, of the type that it declares.
#[must_use]
pub fn inputs<T: 'static>(inputs: Option<&Inputs>) -> Option<&T> {
    inputs?.get()
}

/// Reads inputs: those of a snapshot, or those of a model that fit the schema.
///
/// # Errors
///
/// Issues at the places where the value does not fit the type.
pub fn read_inputs<T: TaskInputs>(value: Value) -> Result<Inputs, Issues> {
    super::read::<T>(value).map(deliver)
}

/// Why a function can't run that was called without its inputs.
#[must_use]
pub fn no_inputs() -> CodeError {
    CodeError::new("the task was started without inputs")
}
