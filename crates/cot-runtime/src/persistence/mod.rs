//! Persistence of a run: every event and position is durable before the driver acts on it.

mod calls;
pub(crate) mod cancel;
mod commit;
mod current_position;
pub(crate) mod describe;
mod drafts;
pub(crate) mod journal_writer;
pub(crate) mod open_run;
pub(crate) mod parking;
pub(crate) mod persisted_driver;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod persistence;
pub(crate) mod position;
pub(crate) mod resume;
pub(crate) mod snapshot;
pub(crate) mod status;
pub(crate) mod stored_runs;
pub(crate) mod submitted;
pub(crate) mod supervision;
pub(crate) mod transaction;
pub(crate) mod wait;
