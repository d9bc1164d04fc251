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

/// The limits of steps without an answer of a person.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Unattended {
    /// That of the process, if it could run without end and sets no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) own: Option<UnattendedLimit>,
    /// What is left of that of the process that runs this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inherited: Option<UnattendedLimit>,
}

/// A limit of steps without an answer of a person.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct UnattendedLimit {
    pub(crate) limit: u64,
    /// The number of steps of the run at which it halts.
    pub(crate) until: u64,
    /// Whether the run has said that it is near.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_told: bool,
}

impl Unattended {
    /// Returns the limit of a new run, if it has one.
    pub(crate) fn declared(definition: &Definition, options: &MachineOptions) -> Option<Box<Self>> {
        let limit = definition.bounds.default_steps?;
        let is_limited = options.max_steps.is_some()
            || options.budget.is_some() && definition.bounds.at_most.is_none();
        let own = Some(UnattendedLimit { limit, until: limit, is_told: false });
        (!is_limited).then(|| Box::new(Self { own, inherited: None }))
    }

    /// Returns the limit that is reached first.
    pub(crate) fn first(&self) -> Option<UnattendedLimit> {
        self.own.into_iter().chain(self.inherited).min_by_key(|limit| limit.until)
    }
}

impl UnattendedLimit {
    /// Counts from zero from a number of steps.
    pub(crate) const fn count_from(&mut self, steps: u64) {
        self.until = steps.saturating_add(self.limit);
        self.is_told = false;
    }

    /// Notes that 80 % of the limit are used. Returns whether they are for the first time: a sub-process can make
    /// several steps at once.
    pub(crate) const fn comes_near(&mut self, steps: u64) -> bool {
        let is_near = steps.saturating_add(self.limit / 5) >= self.until;
        is_near && !std::mem::replace(&mut self.is_told, true)
    }
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
