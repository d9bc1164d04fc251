//! Tools and rounds: ids of calls, texts of results, and schemas of arguments.

use std::{borrow::Cow, collections::BTreeSet};

use cot_model::{ModelError, Tool, ToolResult, ToolRound};
use cot_schema::Dialect;
use serde_json::{Value, json};

use crate::http::in_dialect;

/// The ids of the calls in a request.
///
/// A call without an id gets one of its number, and so does one with the id of an earlier call. So a call has the
/// same id in each request, and prompt caches find it.
pub(crate) struct CallIds<'a>(Vec<Cow<'a, str>>);

impl<'a> CallIds<'a> {
    pub(crate) fn new(rounds: &'a [ToolRound]) -> Self {
        let mut taken = BTreeSet::new();
        let calls = rounds.iter().flat_map(|round| &round.calls).enumerate();
        let ids = calls.map(|(at, (call, _))| match call.id.as_str() {
            id if !id.is_empty() && taken.insert(id) => Cow::Borrowed(id),
            _ => Cow::Owned(invented_id(at + 1)),
        });
        Self(ids.collect())
    }

    /// Returns the id of a call by its number, from 1.
    pub(crate) fn get(&self, number: usize) -> Cow<'a, str> {
        let id = number.checked_sub(1).and_then(|at| self.0.get(at));
        id.cloned().unwrap_or_else(|| Cow::Owned(invented_id(number)))
    }
}

/// Returns an id that all vendors accept: Mistral's ids are nine letters and digits.
pub(crate) fn invented_id(number: usize) -> String {
    format!("call{number:05}")
}

/// Returns the text of a result for protocols that do not mark errors.
pub(crate) fn result_text(result: &ToolResult) -> Cow<'_, str> {
    if result.is_error {
        Cow::Owned(format!("Error: {}", result.text))
    } else {
        Cow::Borrowed(&result.text)
    }
}

/// Rewrites the schema of the arguments of a tool in a dialect. A tool without arguments has an object without
/// members, since some dialects and servers require `properties`.
pub(crate) fn tool_schema(tool: &Tool, dialect: Dialect) -> Result<Cow<'_, Value>, ModelError> {
    let schema = &tool.schema.json;
    let is_bare = schema["type"] == "object"
        && ["properties", "anyOf", "oneOf", "allOf", "$ref", "additionalProperties"]
            .iter()
            .all(|keyword| schema.get(keyword).is_none());
    if !is_bare {
        return in_dialect(schema, dialect);
    }
    let mut schema = schema.clone();
    schema["properties"] = json!({});
    Ok(Cow::Owned(in_dialect(&schema, dialect)?.into_owned()))
}
