//! Checks the schema of a tool.

use cot_schema::internal::{PathSegment, format_path};
use jsonschema::{Draft, ValidationError, paths::LocationSegment};
use serde_json::{Map, Value};

/// Maximum length of the schema of a tool as JSON, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum length of a message about a schema.
const MAX_MESSAGE: usize = 300;

/// What is wrong with a schema: the JSON path, and the problem there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) path: String,
    pub(crate) message: String,
}

/// Checks that a schema is one of objects, small, and valid.
pub(crate) fn check(schema: &Map<String, Value>) -> Result<Value, Flaw> {
    let schema = Value::Object(schema.clone());
    let flaw = |path: &str, message: String| Err(Flaw { path: path.to_owned(), message });
    let bytes = schema.to_string().len();
    if bytes > MAX_BYTES {
        return flaw("$", format!("has {bytes} bytes, and {MAX_BYTES} are allowed"));
    }
    match schema.get("type") {
        Some(Value::String(kind)) if kind == "object" => {}
        Some(other) => return flaw("$.type", format!("is {other}, and not \"object\"")),
        None => return flaw("$.type", "is missing, and must be \"object\"".to_owned()),
    }
    let compiled = jsonschema::options().build(&schema).map(|_| ());
    let error = match compiled {
        Ok(()) => return Ok(schema),
        // Older schemas often name no draft.
        Err(error) if schema.get("$schema").is_none() => {
            let older = jsonschema::options().with_draft(Draft::Draft7).build(&schema);
            if older.is_ok() {
                return Ok(schema);
            }
            error
        }
        Err(error) => error,
    };
    Err(describe(&error))
}

fn describe(error: &ValidationError<'_>) -> Flaw {
    let segment = |segment: LocationSegment<'_>| match segment {
        LocationSegment::Property(name) => PathSegment::Key(name.into_owned()),
        LocationSegment::Index(index) => PathSegment::Index(index),
    };
    let path: Vec<PathSegment> = error.instance_path().into_iter().map(segment).collect();
    let message = cot_schema::internal::truncate(&error.to_string(), MAX_MESSAGE).to_owned();
    Flaw { path: format_path(&path), message: format!("is invalid: {message}") }
}
