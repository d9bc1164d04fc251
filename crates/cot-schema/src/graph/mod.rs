//! Resolution and compilation of JSON schemas.
//!
//! A *place* is a position in a value, such as a member or an item, together with all schemas that apply to
//! it. `resolve` is the only code that follows `$ref` and `allOf`, and `choice` the only code that combines
//! `anyOf` and `oneOf`. `Place` merges the constraints of one place. `Places` numbers the places of a
//! schema, so that a recursive schema has a finite number of them.
//!
//! Each consumer derives its own representation. The reader compiles a [`SchemaGraph`](graph::SchemaGraph)
//! of names, labels and validators. The test kit builds shapes with exact bounds. Explanations inspect
//! single places. Dialects merge the keywords of a place into a schema and keep annotations and the order of
//! members. A common graph would carry the data of all of them, and would have to be compiled before a
//! schema can be rewritten.

pub(crate) mod accepted;
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
