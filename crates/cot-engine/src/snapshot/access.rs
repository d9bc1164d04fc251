//! Access to a snapshot for programs that inspect or change it.

use cot_model::{BlobSet, Digest};
use cot_schema::internal::shallow;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    data::{BegunTask, Delivery, Place, PositionData, Snapshot},
    once_calls::OnceCalls,
};
use crate::protocol::event::Event;

/// Access for programs that inspect or change a snapshot.
impl Snapshot {
    /// Returns the state as JSON.
    #[must_use]
    pub fn state(&self) -> &RawValue {
        &self.state
    }

    /// Replaces the state. The state is validated when a machine resumes from the snapshot.
    ///
    /// # Errors
    ///
    /// If the state nests too deep to be stored.
    pub fn set_state(&mut self, state: &Value) -> serde_json::Result<()> {
        self.state = to_raw_value(state).and_then(shallow)?;
        Ok(())
    }

    /// States which events were stored after the snapshot, besides ends of timers. They answer calls of the current task.
    #[doc(hidden)]
    pub fn set_events<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) {
        let mut once = OnceCalls::default();
        for event in events {
            self.is_answered = true;
            once = once.after(event).unwrap_or(once);
        }
        self.acted_since = once.acted;
    }

    /// Lets the current task fail as interrupted, if these events say that one of its calls with `effect: once` took effect
    /// or may have.
    #[doc(hidden)]
    pub fn interrupt(&mut self) {
        let (Place::Before(visit) | Place::Within(BegunTask { visit, .. })) = self.position.place()
        else {
            return;
        };
        let arrival = Delivery::new(visit.task.clone(), visit.inputs.clone());
        if self.acted_since > 0 {
            self.position = PositionData::At { arrival, has_waited: true, is_interrupted: true };
        }
    }

    /// Returns the digests of the images and documents whose bytes the snapshot does not contain. A run can't be
    /// resumed before they are [added](Self::add_blobs).
    pub fn missing_blobs(&self) -> impl Iterator<Item = Digest> {
        self.blobs.missing()
    }

    /// Returns the images and documents of the state.
    #[must_use]
    pub const fn blobs(&self) -> &BlobSet {
        &self.blobs
    }

    /// Adds the bytes of images and documents.
    pub fn add_blobs(&mut self, blobs: BlobSet) {
        self.blobs.merge(blobs);
    }

    /// Returns the goal of the run; empty if it has none.
    #[must_use]
    pub fn goal(&self) -> &str {
        &self.goal
    }

    /// Replaces the goal of the run.
    pub fn set_goal(&mut self, goal: impl Into<String>) {
        self.goal = goal.into();
    }
}
