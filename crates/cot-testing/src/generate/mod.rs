//! Generates values that match a schema, from a seed.

pub(crate) mod format;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod generate;
pub(crate) mod number;
pub(crate) mod text;
pub(crate) mod words;
