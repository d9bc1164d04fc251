//! The schema of a type that need not have one.

use std::marker::PhantomData;

use schemars::JsonSchema;

use super::schema::OutputSchema;

/// The schema of what a function returns, if its type has one. Only test kits read it.
#[derive(Debug)]
pub struct ResultType<O>(PhantomData<O>);

/// The fallback for types without a schema: inherent constants take precedence over those of traits.
pub trait AnyResult {
    /// The type has no schema.
    const SCHEMA: Option<fn() -> OutputSchema> = None;
}

impl<O> AnyResult for ResultType<O> {}

impl<O: JsonSchema> ResultType<O> {
    /// Creates the schema of the type.
    pub const SCHEMA: Option<fn() -> OutputSchema> = Some(OutputSchema::for_type::<O>);
}
