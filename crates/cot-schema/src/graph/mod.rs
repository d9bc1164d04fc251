//! JSON schemas, compiled: `$ref`, `allOf`, `anyOf` and `oneOf` are resolved once, so that the reader and
//! others walk over nodes.

pub(crate) mod choice;
mod compile;
pub(crate) mod document;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod graph;
mod label;
pub(crate) mod names;
pub(crate) mod node;
pub(crate) mod place;
pub(crate) mod places;
pub(crate) mod resolve;
