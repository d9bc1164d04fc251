//! Pages that follow the store: one poller for all of them, and a stream of events for each.

#[expect(clippy::module_inception, reason = "the file has the type of its name")]
pub(crate) mod live;
pub(crate) mod poller;
pub(crate) mod stream;
pub(crate) mod topics;
