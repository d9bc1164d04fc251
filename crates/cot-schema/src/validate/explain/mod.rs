//! Explains validation errors.

mod branch;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(super) mod explain;
