//! Stored runs, put through this build without a call.

mod path;
#[expect(clippy::module_inception, reason = "the folder holds what belongs to it")]
pub(crate) mod retrace;
pub(crate) mod retraced;
