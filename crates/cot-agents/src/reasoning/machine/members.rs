//! Members of a machine that have another form in its map.

use cot_model::Usage;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeMap};
use serde_json::{Map, Value};

/// The result of a machine: a text. Any other JSON value from a map is kept unchanged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MachineResult {
    text: String,
    /// The original value from the map, if it is not a text.
    json: Option<Value>,
}

impl MachineResult {
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl From<String> for MachineResult {
    fn from(text: String) -> Self {
        Self { text, json: None }
    }
}

impl Serialize for MachineResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.json {
            Some(json) => json.serialize(serializer),
            None => self.text.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MachineResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::String(text) => text.into(),
            json => Self { text: json.to_string(), json: Some(json) },
        })
    }
}

/// Usage that also stores its total, which can exceed the sum of input and output tokens.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TotalUsage {
    usage: Usage,
    /// Tokens of the total that are neither input nor output tokens.
    further_tokens: u64,
}

const TOTAL: &str = "total_tokens";

impl TotalUsage {
    pub(super) const fn usage(&self) -> Usage {
        self.usage
    }

    pub(super) fn add(&mut self, usage: Usage) {
        self.usage += usage;
    }
}

impl Serialize for TotalUsage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counters = serde_json::to_value(self.usage).map_err(serde::ser::Error::custom)?;
        let counters = counters.as_object().into_iter().flatten();
        let mut map = serializer.serialize_map(None)?;
        for (name, counter) in counters {
            map.serialize_entry(name, counter)?;
        }
        let total = self.usage.total_tokens().saturating_add(self.further_tokens);
        map.serialize_entry(TOTAL, &total)?;
        map.end()
    }
}

/// Reads a map in which any counter may be missing.
impl<'de> Deserialize<'de> for TotalUsage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut given = Map::<String, Value>::deserialize(deserializer)?;
        given.retain(|_, counter| !counter.is_null());
        for name in ["calls", "input_tokens", "output_tokens", TOTAL] {
            given.entry(name).or_insert(Value::from(0));
        }
        let total = given.remove(TOTAL).unwrap_or_default();
        let total = u64::deserialize(total).map_err(D::Error::custom)?;
        let usage = Usage::deserialize(Value::Object(given)).map_err(D::Error::custom)?;
        Ok(Self { usage, further_tokens: total.saturating_sub(usage.total_tokens()) })
    }
}

/// Deserializes a value; `null` becomes the default.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
