//! The settings of model calls, and the media that prompts show.

use cot_model::{Effort, MediaKind, ModelSettings};
use serde_json::Value;

/// The settings of the model calls of a process or a task.
#[derive(Debug, Clone, Copy)]
pub struct SettingsDefinition {
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub max_tokens: Option<u32>,
    pub stop: &'static [&'static str],
    pub seed: Option<u64>,
    pub effort: Option<Effort>,
    /// The additional members of the request, as a JSON object.
    pub extra: Option<&'static str>,
}

/// The media that the templates of a task can show, those of `intro` and of parts included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownMedia {
    pub images: bool,
    pub documents: bool,
}

impl SettingsDefinition {
    /// The defaults of the engine.
    pub const DEFAULT: Self = Self {
        temperature: None,
        top_p: None,
        max_tokens: None,
        stop: &[],
        seed: None,
        effort: None,
        extra: None,
    };

    /// Returns these settings with defaults for those that are not set.
    pub(crate) fn or(&self, defaults: &Self) -> Self {
        Self {
            temperature: self.temperature.or(defaults.temperature),
            top_p: self.top_p.or(defaults.top_p),
            max_tokens: self.max_tokens.or(defaults.max_tokens),
            stop: if self.stop.is_empty() { defaults.stop } else { self.stop },
            seed: self.seed.or(defaults.seed),
            effort: self.effort.or(defaults.effort),
            extra: self.extra.or(defaults.extra),
        }
    }

    /// Returns the settings of a request.
    pub fn to_settings(self) -> ModelSettings {
        let extra = self.extra.and_then(|json| serde_json::from_str::<Value>(json).ok());
        ModelSettings {
            temperature: self.temperature,
            top_p: self.top_p,
            max_tokens: self.max_tokens,
            stop: self.stop.iter().map(|text| (*text).to_owned()).collect(),
            seed: self.seed,
            effort: self.effort,
            // The macro accepts objects only.
            extra: extra.and_then(|json| json.as_object().cloned()).unwrap_or_default(),
        }
    }
}

impl ShownMedia {
    /// Text only.
    pub const NONE: Self = Self { images: false, documents: false };

    /// Returns the kinds of media.
    pub fn kinds(self) -> impl Iterator<Item = MediaKind> {
        let images = self.images.then_some(MediaKind::Image);
        images.into_iter().chain(self.documents.then_some(MediaKind::Document))
    }
}
