//! What a transition delivers.

use cot_schema::{Issues, internal::Given};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::values::{code_error::CodeError, inputs::Inputs};

/// What a type must be to serve as the inputs of a task.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the inputs of a task",
    label = "lacks `Serialize`, `Deserialize`, `Clone`, `Send` or `Sync`",
    note = "add `#[derive(Clone, serde::Serialize, serde::Deserialize)]` to the type"
)]
pub trait TaskInputs: Sized {
    /// `with value`.
    fn deliver(self) -> Inputs;

    /// Reads inputs: those of a snapshot, or those of a model that fit the schema.
    ///
    /// # Errors
    ///
    /// Issues at the places where the value does not fit the type.
    fn read(value: Value) -> Result<Inputs, Issues>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static> TaskInputs for T {
    fn deliver(self) -> Inputs {
        Inputs::new(self)
    }

    fn read(value: Value) -> Result<Inputs, Issues> {
        super::read::<Self>(Given::Value(value)).map(Inputs::new)
    }
}

/// The inputs of a task, of the type that it declares.
#[must_use]
pub fn inputs<T: 'static>(inputs: Option<&Inputs>) -> Option<&T> {
    inputs?.get()
}

/// Why a function can't run that was called without its inputs.
#[must_use]
pub fn no_inputs() -> CodeError {
    CodeError::new("the task was started without inputs")
}
