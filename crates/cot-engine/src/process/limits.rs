//! Limits of what a run may consume.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    process::{options::MachineOptions, tables::Definition},
    values::budget::Budget,
};

/// The limits of a run or of a sub-process.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) steps: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) budget: Budget,
}

impl Limits {
    /// Returns the limits of the options, with those of the declaration as defaults.
    pub(crate) fn declared(definition: &Definition, options: &MachineOptions) -> Self {
        Self {
            steps: options.max_steps.or(definition.max_steps),
            time: options.timeout.or(definition.timeout),
            budget: options.budget.unwrap_or(definition.budget),
        }
    }

    /// Returns the tighter of two limits, field by field.
    pub(crate) fn and(self, other: Self) -> Self {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        Self {
            steps: least(self.steps, other.steps),
            time: self.time.into_iter().chain(other.time).min(),
            budget: self.budget.and(&other.budget),
        }
    }
}
