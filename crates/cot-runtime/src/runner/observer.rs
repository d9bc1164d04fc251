//! The functions that observe runs, and the context that they get with each event.

use std::{sync::Arc, time::SystemTime};

use cot_engine::ProcessEvent;
use cot_store::RunId;

/// The context of an event that observers get: the run, and the time of the event.
///
/// ```
/// use std::time::SystemTime;
///
/// use cot_core::{EventContext, Process, ProcessEvent, Runner};
///
/// /// An observer, for any process.
/// fn log<P: Process>(event: &ProcessEvent<P>, context: &EventContext) {
///     let since_1970 = context.at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
///     println!("{} {} {event:?}", since_1970.as_millis(), context.run_id);
/// }
///
/// # #[allow(dead_code, reason = "no process is declared here")]
/// fn logged<P: Process>(runner: Runner<P>) -> Runner<P> {
///     runner.observe(log::<P>)
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EventContext {
    /// The name of the run: its name in the store, or a generated one if it is not stored. Events of
    /// sub-processes have the name of the whole run.
    pub run_id: RunId,
    /// When the event happened, by the clock of the driver's computer. Not earlier than the preceding event,
    /// unless the clock is set back.
    pub at: SystemTime,
}

impl EventContext {
    /// Creates a context, for tests of an observer.
    #[must_use]
    pub const fn new(run_id: RunId, at: SystemTime) -> Self {
        Self { run_id, at }
    }
}

/// A function that is called with each event.
pub(crate) type Observer<P> = Arc<dyn Fn(&ProcessEvent<P>, &EventContext) + Send + Sync>;
