//! The calls with `effect: once` of a run.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::protocol::directive::CallId;

/// The calls with `effect: once` that a run has announced, those of its sub-processes included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OnceCalls {
    /// The calls without a result.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) open: BTreeSet<CallId>,
    /// The number of calls of which no function has said that nothing was done, and of those with `effect: transaction` whose
    /// result was accepted.
    pub(crate) acted: u64,
    /// That number at the start of the current task.
    before: u64,
}

impl OnceCalls {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Takes note that the calls of the current task are over.
    pub(crate) fn begin_task(&mut self) {
        (self.before, self.open) = (self.acted, BTreeSet::new());
    }

    /// Returns the number of calls of the current task that took effect or may have.
    pub(crate) const fn in_task(&self) -> u64 {
        self.acted.saturating_sub(self.before)
    }
}
