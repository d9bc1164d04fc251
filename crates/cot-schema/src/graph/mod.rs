//! JSON schemas, resolved and compiled.
//!
//! `resolve` is the only code that follows `$ref` and `allOf`, and `choice` the only one that multiplies `anyOf` and
//! `oneOf`. `Place` gathers what all schemas of one place say, and `Places` numbers the places of a schema, so that a
//! recursive one has a finite number of them.
//!
//! Each consumer makes its own form from these. The reader compiles a [`SchemaGraph`](graph::SchemaGraph) of names,
//! labels and validators; the test kit makes shapes with exact bounds; explanations look at single places; dialects
//! merge the keywords of a place into a schema, with its annotations and the order of its members. One graph for all
//! would hold the needs of each for all the others, and would have to be compiled before a schema can be rewritten.

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
