//! A step of reasoning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step_number::StepNumber;

/// One step of a chain of thought.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The number that the text gives it; of a bullet, its place among the bullets, from 1.
    #[schemars(description = "The number of the step, from 1.")]
    pub number: StepNumber,
    /// What it says, without its marker and without space around it; never empty.
    #[schemars(description = "What the step says, without its number.")]
    pub content: String,
}
