//! JSON that is right as it stands in a text, without a copy of it.

pub(crate) mod node;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod plain;
