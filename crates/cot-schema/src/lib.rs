//! JSON schemas and validators for the outputs of language models.
//!
//! [`OutputSchema`] holds the schema of a type and its validator. Validation errors are [`Issues`], each
//! with a JSON path and a message that a model can act on. A [`Dialect`] rewrites a schema for an inference
//! engine that supports only a subset of JSON schema for constrained decoding.
//!
//! [`CotOutput`] is the trait of types with such a schema. `#[derive(CotOutput)]` of `cot-core` implements
//! it.
//!
//! ```
//! use cot_schema::{Dialect, OutputSchema};
//! use schemars::JsonSchema;
//! use serde_json::json;
//!
//! #[derive(JsonSchema)]
//! struct Field {
//!     #[schemars(length(max = 20))]
//!     name: String,
//! }
//!
//! let schema = OutputSchema::for_type::<Field>();
//! let issues = schema.validate(&json!({ "nmae": "id" })).unwrap_err();
//! assert_eq!(issues.to_string(), "$: `name` is required");
//!
//! let strict = Dialect::OpenAiStrict.rewrite(schema.json()).unwrap();
//! assert_eq!(strict["properties"]["name"]["description"], "At most 20 characters.");
//! # let _ = Field { name: String::new() }.name;
//! ```
#![doc(test(attr(deny(warnings))))]
#![warn(clippy::print_stderr, clippy::print_stdout)]

// # Where things are
//
// Issues and their paths; `output`: `CotOutput`, `OutputSchema`, the rules of `#[cot(…)]`; `validate` and what a
// failed validation says; `shape`: types as their `Deserialize` shows them, for fingerprints; `graph`: the one
// resolver of `$ref`, `allOf` and choices, and the compiled graph of the reader; `dialect`: schemas rewritten for
// engines, a file of rules for each and one walker; `depth`: the bound on the nesting of values that a run keeps;
// `sentence`: what errors show as `Debug`, since a `main` returns them; `state`: what generated code requires of the
// types of a state, and how it writes to them; `trust`: values from outside, and private ones.

mod decimal;
mod depth;
mod dialect;
#[expect(missing_docs, reason = "internal; the names of fields and constants say it")]
mod graph;
#[doc(hidden)]
pub mod internal;
mod issue;
mod located;
mod notation;
mod output;
mod path;
#[expect(missing_docs, reason = "internal; the names of the kinds of JSON say it")]
mod plain;
mod sentence;
mod shape;
mod state;
mod suggest;
mod text;
mod trust;
mod type_rules;
mod validate;

pub use dialect::{dialect::Dialect, error::DialectError};
pub use issue::{Issue, Issues};
pub use output::{output::CotOutput, schema::OutputSchema};
pub use trust::{private::Private, untrusted::Untrusted};
