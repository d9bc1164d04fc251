//! What events say of the calls with `effect: once`, and those with `effect: transaction` that are committed.

use cot_model::EffectError;

use crate::{
    process::{effect::Effect, tables::TaskIndex},
    protocol::event::Event,
    run::context::RunFacts,
    snapshot::once_calls::OnceCalls,
};

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

/// Counts a call whose result is accepted, if it was made in a transaction: its rows are committed together with the step
/// after it, and another call would write them again.
pub(crate) fn note_transaction(facts: &mut RunFacts, task: TaskIndex) {
    let effect = facts.definition.task(task).kind.effect();
    if effect == Effect::Transaction && !facts.is_mocked(task) {
        facts.once.acted += 1;
    }
}
