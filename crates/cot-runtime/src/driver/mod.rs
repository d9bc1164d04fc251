//! The driver: performs the directives of a machine, and submits the events that answer them.

pub(crate) mod deltas;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod driver;
pub(crate) mod flight;
pub(crate) mod perform;
