//! What a snapshot holds, for those who look at it or change it.

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::Snapshot;

impl Snapshot {
    /// The state, as JSON.
    #[must_use]
    pub fn state(&self) -> &RawValue {
        &self.state
    }

    /// Gives the run another state. Whether it is one of the process shows when a machine goes on from there.
    ///
    /// # Errors
    ///
    /// None that is known: the state is JSON already.
    pub fn set_state(&mut self, state: &Value) -> serde_json::Result<()> {
        self.state = to_raw_value(state)?;
        Ok(())
    }

    /// Takes the state, and what code it is a state of, from another snapshot of the run.
    pub(crate) fn adopt_state(&mut self, present: Self) {
        self.state = present.state;
        self.fingerprint = present.fingerprint;
    }

    /// The goal of the run; empty where it has none.
    #[must_use]
    pub fn goal(&self) -> &str {
        &self.goal
    }

    /// Gives the run another goal.
    pub fn set_goal(&mut self, goal: impl Into<String>) {
        self.goal = goal.into();
    }
}
