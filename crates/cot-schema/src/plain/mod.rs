//! Borrowed JSON values, for valid JSON text that needs no repairs.

pub(crate) mod node;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod plain;
