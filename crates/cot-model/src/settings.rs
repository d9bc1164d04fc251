//! The settings of a model call.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The settings of a model call. A setting that is not set has the default of the engine.
///
/// Values out of range are errors at compile time in a process, and errors of the engine elsewhere.
///
/// ```
/// use cot_core::model::{Effort, ModelSettings};
///
/// let settings = ModelSettings { temperature: Some(0.2), effort: Some(Effort::Low), ..ModelSettings::default() };
/// assert_eq!(settings.max_tokens, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelSettings {
    /// The sampling temperature, from 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The share of the most probable tokens that are sampled from, above 0 and at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The maximum number of tokens of the reply, including thoughts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// The texts at which the reply ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// The seed of the sampling, for engines that can repeat a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How much a reasoning model thinks before it replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Members that are added to the body of the request as they are. They take precedence over the other
    /// settings.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// How much a reasoning model thinks before it replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effort {
    /// As little as the engine allows.
    Minimal,
    /// Little.
    Low,
    /// The usual amount.
    Medium,
    /// Much.
    High,
}

impl Effort {
    /// All levels, in ascending order.
    pub const ALL: [Self; 4] = [Self::Minimal, Self::Low, Self::Medium, Self::High];

    /// Returns the name of the level, such as `low`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Effort {
    type Err = ParseEffortError;

    fn from_str(name: &str) -> Result<Self, ParseEffortError> {
        let level = Self::ALL.into_iter().find(|level| level.as_str() == name);
        level.ok_or_else(|| ParseEffortError { name: name.to_owned() })
    }
}

/// The error of parsing an [`Effort`] from an unknown name.
#[derive(Clone, PartialEq, Eq)]
pub struct ParseEffortError {
    name: String,
}

cot_schema::debug_as_sentence!(ParseEffortError);

impl fmt::Display for ParseEffortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Effort::ALL.map(Effort::as_str).join("`, `");
        write!(f, "there is no effort `{}`: the levels are `{names}`", self.name)
    }
}

impl std::error::Error for ParseEffortError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_parsed_by_the_names_that_they_display() {
        for level in Effort::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let message = "much".parse::<Effort>().unwrap_err().to_string();
        assert_eq!(
            message,
            "there is no effort `much`: the levels are `minimal`, `low`, `medium`, `high`"
        );
    }

    #[test]
    fn unset_settings_are_not_serialized() {
        assert_eq!(serde_json::to_string(&ModelSettings::default()).unwrap(), "{}");
        let settings = ModelSettings {
            stop: vec!["END".to_owned()],
            effort: Some(Effort::High),
            ..ModelSettings::default()
        };
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(json, r#"{"stop":["END"],"effort":"high"}"#);
        assert_eq!(serde_json::from_str::<ModelSettings>(&json).unwrap(), settings);
    }
}
