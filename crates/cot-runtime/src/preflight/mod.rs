//! The checks of a process against models and people, before the first call.

pub(crate) mod missing_models;
pub(crate) mod people;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod preflight;
pub(crate) mod preflight_error;
