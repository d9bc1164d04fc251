//! Tools and rounds: ids of calls, texts of results, and schemas of arguments.

use std::{borrow::Cow, collections::BTreeSet};

#[cfg(any(feature = "genai", feature = "openai"))]
use cot_model::ToolResult;
use cot_model::{ModelError, ModelErrorKind, Tool, ToolRound};
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

/// Returns an id in the characters that Anthropic accepts.
#[cfg(any(feature = "anthropic", feature = "genai"))]
pub(crate) fn plain_id(id: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if id.chars().all(is_plain) {
        return Cow::Borrowed(id);
    }
    Cow::Owned(id.chars().map(|c| if is_plain(c) { c } else { '_' }).collect())
}

/// Returns an id that all vendors accept: Mistral's ids are nine letters and digits.
pub(crate) fn invented_id(number: usize) -> String {
    format!("call{number:05}")
}

/// Returns the text of a result for protocols that do not mark errors.
#[cfg(any(feature = "genai", feature = "openai"))]
pub(crate) fn result_text(result: &ToolResult) -> Cow<'_, str> {
    if result.is_error {
        Cow::Owned(format!("Error: {}", result.text))
    } else {
        Cow::Borrowed(&result.text)
    }
}

/// Rewrites the schema of the arguments of a tool in a dialect. An object gets `properties`, which some servers
/// require.
///
/// # Errors
///
/// If the dialect can't express the schema. Arguments of any names, which other dialects take as the text of their
/// JSON, are sent as they are, but for the strict one.
pub(crate) fn tool_schema(tool: &Tool, dialect: Dialect) -> Result<Cow<'_, Value>, ModelError> {
    let source = &tool.schema.json;
    let is_loose = source["type"] == "object"
        && source.get("additionalProperties").is_none_or(|others| *others == true)
        && ["properties", "patternProperties", "anyOf", "oneOf", "allOf", "$ref"]
            .iter()
            .all(|keyword| source.get(keyword).is_none());
    let mut schema = match dialect {
        Dialect::OpenAiStrict if is_loose => {
            let message = "arguments of any names have no strict schema";
            return Err(ModelError::new(ModelErrorKind::Schema, message));
        }
        Dialect::Anthropic if is_loose => Cow::Borrowed(source),
        _ => in_dialect(source, dialect)?,
    };
    if schema["type"] == "object" && schema.get("properties").is_none() {
        schema.to_mut()["properties"] = json!({});
    }
    Ok(schema)
}
