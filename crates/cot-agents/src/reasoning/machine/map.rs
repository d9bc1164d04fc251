//! A machine as a map, and back.

use cot_model::{ModelError, ModelErrorKind};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::Machine;

/// What can't be read as a machine.
#[derive(Debug, thiserror::Error)]
#[error("the map is no reasoning machine: {0}")]
pub struct MapError(#[source] serde_json::Error);

impl Machine {
    /// All that the machine knows, to go on elsewhere.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        // A struct of texts, numbers and lists is always an object.
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// The machine that a map was made from. What is missing is as in a new machine; further members are
    /// ignored.
    ///
    /// # Errors
    ///
    /// A member of another type than [`to_map`](Self::to_map) gives it.
    pub fn from_map(map: Map<String, Value>) -> Result<Self, MapError> {
        let mut machine = Self::deserialize(Value::Object(map)).map_err(MapError)?;
        if machine.status == super::Status::Error && machine.error.is_none() {
            let message = machine.result().unwrap_or_default().to_owned();
            machine.error = Some(ModelError::new(ModelErrorKind::Other, message));
        }
        Ok(machine)
    }
}

/// A value, or the default in place of `null`.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
