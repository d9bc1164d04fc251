//! The outputs of the twenty tasks, for the process and for the program by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How sure a finding is.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// A guess.
    Low,
    /// Likely.
    Medium,
    /// Certain.
    High,
}

/// What the plan says about the audience.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Audience {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the problem.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Problem {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the promise.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Promise {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the rivals.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Rivals {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the price.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Price {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the channel.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Channel {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the message.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Message {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the timeline.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Timeline {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the budget.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Budget {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the risks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Risks {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the metrics.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Metrics {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the team.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Team {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the partners.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Partners {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the legal.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Legal {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the support.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Support {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the launch.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Launch {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the feedback.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Feedback {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the revision.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Revision {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the forecast.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Forecast {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}

/// What the plan says about the summary.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "process", derive(cot_core::CotOutput))]
pub struct Summary {
    /// One sentence.
    #[schemars(length(min = 1, max = 400))]
    pub sentence: String,
    /// The findings, the most important first.
    pub findings: Vec<String>,
    /// The share of the plan that depends on it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
    /// How sure it is.
    pub level: Level,
    /// What is still open.
    pub open: Option<String>,
}
