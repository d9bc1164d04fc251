//! Rewriting of schemas for servers.

use std::borrow::Cow;

use cot_model::{ModelError, ModelErrorKind};
use cot_schema::Dialect;
use serde_json::Value;

/// Rewrites a schema in a dialect.
pub(crate) fn in_dialect(schema: &Value, dialect: Dialect) -> Result<Cow<'_, Value>, ModelError> {
    if dialect == Dialect::Plain {
        return Ok(Cow::Borrowed(schema));
    }
    dialect.rewrite(schema).map(Cow::Owned).map_err(|reasons| {
        let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
        let message = format!("the engine does not support the schema: {}", reasons.join(", "));
        ModelError::new(ModelErrorKind::Schema, message)
    })
}
