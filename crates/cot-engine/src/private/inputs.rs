//! Inputs of tasks.

use cot_model::FunctionError;
use cot_schema::{Issues, internal::UntypedOutput};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::values::inputs::Inputs;

/// The requirements on the type of a task's inputs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the inputs of a task [COT0112]",
    label = "lacks `Serialize`, `Deserialize`, `Clone`, `Send` or `Sync`",
    note = "add `#[derive(Clone, serde::Serialize, serde::Deserialize)]` to the type"
)]
pub trait TaskInputs: Sized {
    /// Converts the value of `with` into inputs.
    fn deliver(self) -> Inputs;

    /// Reads inputs from a snapshot, or inputs of a model that match the schema.
    ///
    /// # Errors
    ///
    /// Issues at the paths where the value does not deserialize.
    fn read(value: Value) -> Result<Inputs, Issues>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static> TaskInputs for T {
    fn deliver(self) -> Inputs {
        Inputs::new(self)
    }

    fn read(value: Value) -> Result<Inputs, Issues> {
        super::read::<Self>(UntypedOutput::Value(value)).map(Inputs::new)
    }
}

/// Returns the inputs of a task in their declared type.
#[must_use]
pub fn inputs<T: 'static>(inputs: Option<&Inputs>) -> Option<&T> {
    inputs?.get()
}

/// Returns the error of a function that was started without its item.
#[must_use]
pub fn missing_item_error() -> FunctionError {
    FunctionError::not_done("the task was started without an item")
}

/// Returns the error of a function that was started without its inputs.
#[must_use]
pub fn missing_inputs_error() -> FunctionError {
    FunctionError::not_done("the task was started without inputs")
}
