//! Compiles JSON schemas into validators.

use jsonschema::{Draft, Validator, json::Json};
use serde_json::Value;

use super::explain::explain;
use crate::issue::Issues;

/// Compiles a schema of draft 2020-12, with the additional formats of output types.
pub fn compile<J: Json>(schema: &Value) -> Result<Validator<J>, String> {
    jsonschema::options_for::<J>()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_format("ip", |text: &str| text.parse::<std::net::IpAddr>().is_ok())
        .build(schema)
        .map_err(|error| format!("{} at `{}`", error, error.instance_path()))
}

/// Compiles a schema of any draft. Without `$schema`, the newest draft is tried first, then draft 7, in
/// which `items` can be a list.
pub fn compile_any<J: Json>(schema: &Value) -> Result<Validator<J>, String> {
    let newest = jsonschema::options_for::<J>().should_validate_formats(true).build(schema);
    let describe = |error: jsonschema::ValidationError<'_>| {
        format!("{} at `{}`", error, error.instance_path())
    };
    newest.or_else(|error| {
        let older = jsonschema::options_for::<J>()
            .with_draft(Draft::Draft7)
            .should_validate_formats(true)
            .build(schema);
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
