//! Slots: the concurrent items of a group.

use std::{fmt, time::Duration};

use cot_model::Usage;
use serde_json::Value;

use crate::{
    process::child::{ChildRun, DueDirectives},
    protocol::{
        event::{Event, EventOutcome},
        open_calls::OpenCalls,
    },
    run::{
        context::{RunContext, Visit},
        limits::Lane,
        phase::{each::lanes::LaneClock, question::ModelQuestion},
        restore_context::RestoreContext,
    },
    snapshot::{
        data::{PendingCall, SlotKind},
        error::SnapshotError,
    },
    values::outcome::{Attempt, HaltReason},
};

/// An item of a group. It waits for one call or, in a sub-process, for several.
pub(crate) trait Slot: fmt::Debug + Sized {
    /// The kind of the slots in snapshots.
    const KIND: SlotKind;
    /// Whether the JSON of an output already has the form in which the task collects it.
    const IS_WRAPPED: bool = false;

    /// Creates the slot of an item, and assigns a call to it.
    ///
    /// # Errors
    ///
    /// If the item can't start, which fails the task.
    fn begin(item: usize, lane: Lane, cx: &mut RunContext<'_>) -> Result<Self, HaltReason>;
    /// Restores a slot from snapshot data.
    ///
    /// # Errors
    ///
    /// If the data does not fit the present process.
    fn restore(item: usize, data: PendingCall, cx: &SlotContext<'_>)
    -> Result<Self, SnapshotError>;
    /// Returns the slot as snapshot data.
    ///
    /// # Errors
    ///
    /// If the state or inputs of a sub-process do not serialize.
    fn save(&self) -> Result<PendingCall, SnapshotError>;

    /// Advances the item until it waits, and adds its selected directives to `due`.
    fn advance(
        &mut self,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
        due: &mut DueDirectives<'_>,
    ) -> SlotState;
    /// Applies an event. A slot that waits afterwards is to be [advanced](Self::advance).
    fn handle(
        &mut self,
        event: Event,
        clock: &mut LaneClock<'_>,
        cx: &mut RunContext<'_>,
    ) -> SlotHandled;

    /// Returns the calls that the slot waits for.
    fn open_calls(&self) -> &dyn OpenCalls;

    /// Returns the sub-process of the item.
    fn child(&self) -> Option<&dyn ChildRun> {
        None
    }
    /// Switches the recording of events on or off in the sub-process.
    fn record_child(&mut self, _on: bool) {}
    /// Takes the failed attempts.
    fn take_attempts(&mut self) -> Vec<Attempt>;
    /// Returns the question of the slot, to inspect its prompt.
    ///
    /// # Errors
    ///
    /// If the slot has no question, in words.
    fn current_question(&self) -> Result<ModelQuestion, String>;
}

/// The visit in which slots are restored.
#[derive(Clone, Copy)]
pub(crate) struct SlotContext<'a> {
    pub(crate) visit: &'a Visit,
    pub(crate) run: &'a RestoreContext<'a>,
}

/// The state of a slot.
pub(crate) enum SlotState {
    /// The slot waits for its calls.
    Waiting,
    /// The item is done. Its output is the pending output of the host too.
    Done(DoneItem),
    /// The item failed.
    Failed(HaltReason),
    /// The item failed in a way that halts the run.
    Halted(HaltReason),
}

/// The output of an item as JSON, with the usage and the duration of the accepted attempt.
pub(crate) struct DoneItem {
    pub(crate) value: Value,
    pub(crate) usage: Usage,
    pub(crate) elapsed: Duration,
}

/// The result of handling an event in a slot.
pub(crate) struct SlotHandled {
    pub(crate) handled: EventOutcome,
    pub(crate) state: SlotState,
}

impl SlotHandled {
    /// The event answers a call that the slot does not wait for.
    pub(crate) const STALE: Self = Self { handled: EventOutcome::Stale, state: SlotState::Waiting };

    pub(crate) const fn applied(state: SlotState) -> Self {
        Self { handled: EventOutcome::Applied, state }
    }
}
