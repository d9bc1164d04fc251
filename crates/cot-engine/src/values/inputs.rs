//! The inputs that a transition delivers to its target.

use std::{any::Any, fmt, sync::Arc};

use cot_schema::internal::shallow;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// The inputs that a transition delivers to its target: a value of the type that the task declares with
/// `inputs: Type`.
///
/// ```
/// use cot_core::Inputs;
///
/// let inputs = Inputs::new(String::from("the second chapter"));
/// assert_eq!(inputs.get::<String>().unwrap(), "the second chapter");
/// assert!(inputs.get::<u32>().is_none());
/// ```
#[derive(Clone)]
pub struct Inputs(Arc<dyn Delivered>);

/// A value that can be used as inputs.
trait Delivered: Any + Send + Sync {
    fn to_json(&self) -> serde_json::Result<Box<RawValue>>;
}

impl<T: Serialize + Any + Send + Sync> Delivered for T {
    fn to_json(&self) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(self).and_then(shallow)
    }
}

impl Inputs {
    /// Creates inputs of type `T`.
    pub fn new<T: Serialize + Send + Sync + 'static>(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// Returns the inputs, if they are of type `T`.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        let inputs: &dyn Any = &*self.0;
        inputs.downcast_ref()
    }

    /// Serializes the inputs to JSON.
    pub(crate) fn to_json(&self) -> serde_json::Result<Box<RawValue>> {
        self.0.to_json()
    }
}

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inputs").finish_non_exhaustive()
    }
}
