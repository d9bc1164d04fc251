//! Definitions of tools.

pub(crate) mod schema;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod tool;
