//! Compiles JSON schemas into validators.

use std::sync::Arc;

use jsonschema::{
    Draft, PatternOptions, Retrieve, ValidationError, ValidationOptions, Validator, json::Json,
};
use serde_json::Value;

use super::explain::explain;
use crate::issue::Issues;

/// Compiles a schema of draft 2020-12, with the additional formats of output types.
pub fn compile<J: Json>(schema: &Value) -> Result<Validator<J>, String> {
    let options = jsonschema::options_for::<J>()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_format("ip", |text: &str| text.parse::<std::net::IpAddr>().is_ok());
    build(options, schema).map_err(|error| format!("{} at `{}`", error, error.instance_path()))
}

/// Builds a validator whose patterns match in linear time. Patterns that the crate `regex` does not know, such as
/// those that look around, take the backtracking engine.
fn build<'s, J: Json>(
    options: ValidationOptions<'_, Arc<dyn Retrieve>, J>,
    schema: &'s Value,
) -> Result<Validator<J>, ValidationError<'s>> {
    let linear = options.clone().with_pattern_options(PatternOptions::regex());
    linear.build(schema).or_else(|_| options.build(schema))
}

/// Compiles a schema of any draft. Without `$schema`, the newest draft is tried first, then draft 7, in
/// which `items` can be a list.
pub fn compile_any<J: Json>(schema: &Value) -> Result<Validator<J>, String> {
    let options = || jsonschema::options_for::<J>().should_validate_formats(true);
    let describe = |error: ValidationError<'_>| format!("{} at `{}`", error, error.instance_path());
    build(options(), schema).or_else(|error| {
        let older = build(options().with_draft(Draft::Draft7), schema);
        older.ok().filter(|_| schema.get("$schema").is_none()).ok_or_else(|| describe(error))
    })
}

/// Validates a value and explains the errors. `validator` must be that of `schema`.
pub fn check(schema: &Value, validator: &Validator, value: &Value) -> Result<(), Issues> {
    if validator.is_valid(value) {
        return Ok(());
    }
    if explain::is_too_large(value) {
        return Err(Issues::at("$", "does not fit the schema, and is too large to say where"));
    }
    Err(explain::issues(schema, value, validator.iter_errors(value)))
}
