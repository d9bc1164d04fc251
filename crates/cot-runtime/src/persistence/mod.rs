//! Persistence of a run: every event and position is durable before the driver acts on it.

pub(crate) mod catch_up;
pub(crate) mod journal;
pub(crate) mod kept;
pub(crate) mod opening;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod persistence;
pub(crate) mod standing;
pub(crate) mod storing;
