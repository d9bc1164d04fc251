//! What events say of the calls with `effect: once`.

use cot_model::EffectError;

use crate::{protocol::event::Event, snapshot::once_calls::OnceCalls};

impl OnceCalls {
    /// Returns the calls after an event, or `None` if it changes nothing.
    pub(crate) fn after(&self, event: &Event) -> Option<Self> {
        let mut after = self.clone();
        match event {
            Event::Started { id } => after.acted += u64::from(after.open.insert(*id)),
            Event::Ran { id, result: Err(error), .. }
                if error.outcome() == EffectError::NotDone =>
            {
                after.acted -= u64::from(after.open.remove(id));
            }
            event => drop(event.id().is_some_and(|id| after.open.remove(&id))),
        }
        (after != *self).then_some(after)
    }
}
