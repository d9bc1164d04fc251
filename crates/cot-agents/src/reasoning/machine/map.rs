//! Conversion of a machine to a map and back.

use cot_model::{ModelError, ModelErrorKind};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Machine;

/// The error of a map that does not describe a machine.
#[derive(thiserror::Error)]
#[error("the map does not describe a reasoning machine: {0}")]
pub struct MapError(#[source] serde_json::Error);

cot_schema::debug_as_sentence!(MapError);

impl Machine {
    /// Returns the complete state of the machine, so that another program can resume it.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        // A struct of texts, numbers and lists always serializes to an object.
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// Restores a machine from a map. A missing member has the value that it has in a new machine; unknown
    /// members are ignored.
    ///
    /// # Errors
    ///
    /// Fails if a member has a different type than [`to_map`](Self::to_map) writes.
    pub fn from_map(map: Map<String, Value>) -> Result<Self, MapError> {
        let mut machine = Self::deserialize(Value::Object(map)).map_err(MapError)?;
        if machine.status == super::Status::Error && machine.error.is_none() {
            let message = machine.result().unwrap_or_default().to_owned();
            machine.error = Some(ModelError::new(ModelErrorKind::Other, message));
        }
        Ok(machine)
    }
}
