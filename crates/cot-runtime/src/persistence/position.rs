//! The position of a run, as its journal records it.

use std::{collections::BTreeSet, time::SystemTime};

use cot_engine::CallId;
use cot_store::Status;

/// The position of a run, as it is recorded.
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, which a box would allocate for each wait"
)]
pub(crate) enum Position {
    /// A task runs models or functions.
    Running,
    /// The run is in a long wait. The flag says whether the wait starts now.
    Waiting(Status, bool),
    /// The run has ended.
    Ended,
}

/// The last recorded status, as far as it says when a waiting run is due.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum RecordedWait {
    #[default]
    None,
    Asking(CallId, Option<SystemTime>),
    Sleeping(SystemTime),
}

/// The directives that a driver has seen.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    /// The newest directive of those in flight.
    pub(crate) newest: Option<CallId>,
    /// The questions that are asked after the open one.
    pub(crate) held: &'a BTreeSet<CallId>,
}
