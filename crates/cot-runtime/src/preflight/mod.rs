//! The checks of a process before the first call: its models, their schemas and media, and the responders of
//! human tasks.

mod checked_tasks;
pub(crate) mod human_tasks;
mod joined;
mod media;
pub(crate) mod missing_models;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod preflight;
pub(crate) mod preflight_error;
pub(crate) mod transactions;
pub(crate) mod transactions_error;
pub(crate) mod unaccepted_media;
