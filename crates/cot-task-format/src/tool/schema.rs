//! Conversion between the `params` of a tool and a JSON schema.
//!
//! `params` has the JSON schema of each parameter, with `required ↦ false` for optional ones. The
//! keywords of the schema besides its properties are in the tool's `schema`. Alternatively, `params` is
//! a whole schema; its `type` is a text or a list then, which no parameter can be.

use serde_json::{Map, Value as Json, json};

use crate::{
    diagnostic::quote_excerpt,
    position::Position,
    value::{Entry, Expr, Object, Value},
};

/// The description and position of an error in the parameters.
type Problem = (String, Position);

/// Builds the JSON schema of a tool's arguments. Returns `None` if the tool has no parameters.
pub(crate) fn parameters(tool: &Object) -> Result<Option<Json>, Problem> {
    let Some(params) = tool.get("params").or_else(|| tool.get("parameters")) else {
        return Ok(None);
    };
    let Value::Object(object) = &params.value else {
        return Err(("`params` is not an object".to_owned(), params.position));
    };
    if is_schema(object) {
        return Ok(Some(params.to_plain_json()));
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for Entry { key, position, expr } in &object.entries {
        let Json::Object(mut schema) = expr.to_plain_json() else {
            return Err((
                format!("the parameter {} is not an object", quote_excerpt(key)),
                *position,
            ));
        };
        let is_optional = match schema.get("required") {
            Some(Json::Bool(needed)) => !needed,
            _ => false,
        };
        if schema.get("required").is_some_and(Json::is_boolean) {
            schema.shift_remove("required");
        }
        if let Some(kinds) = schema.get_mut("type") {
            quote_null_type(kinds);
        }
        if !is_optional {
            required.push(Json::from(key.as_str()));
        }
        properties.insert(key.clone(), Json::Object(schema));
    }
    let mut schema = json!({ "type": "object", "properties": properties, "required": required });
    let others = tool.get("schema").map(Expr::to_plain_json);
    if let (Some(Json::Object(others)), Some(schema)) = (others, schema.as_object_mut()) {
        schema.extend(others);
    }
    Ok(Some(schema))
}

/// Replaces `null` in a type by the name of the type: an unquoted `null` is read as a value.
fn quote_null_type(kinds: &mut Json) {
    match kinds {
        Json::Null => *kinds = "null".into(),
        Json::Array(kinds) => kinds.iter_mut().for_each(quote_null_type),
        _ => {}
    }
}

/// Returns whether `params` is a schema itself.
fn is_schema(params: &Object) -> bool {
    let is_typed = params
        .get("type")
        .is_some_and(|expr| matches!(expr.value, Value::Text(_) | Value::Array(_)));
    let has_reference = params.get("$ref").is_some_and(|expr| expr.as_text().is_some());
    is_typed || has_reference
}

/// Returns the entries of a tool definition that describe this schema.
pub(super) fn entries(schema: &Json) -> Vec<(&'static str, Json)> {
    plain_entries(schema).unwrap_or_else(|| vec![("params", with_type(schema))])
}

/// Adds `type` to a schema without one, so that it is recognized as a schema.
fn with_type(schema: &Json) -> Json {
    let mut schema = schema.clone();
    if let Some(map) = schema.as_object_mut()
        && !map.contains_key("$ref")
    {
        map.entry("type").or_insert_with(|| "object".into());
    }
    schema
}

/// Splits a schema into `params` and the remaining keywords. Returns `None` if `params` can't express
/// it.
fn plain_entries(schema: &Json) -> Option<Vec<(&'static str, Json)>> {
    let map = schema.as_object()?;
    if map.get("type")? != "object" {
        return None;
    }
    let required = map.get("required")?.as_array()?;
    let mut required = required.iter().peekable();
    let properties = map.get("properties")?.as_object()?;
    let mut params = Map::new();
    for (name, schema) in properties {
        let mut schema = schema.as_object()?.clone();
        if schema.get("required").is_some_and(Json::is_boolean) {
            return None;
        }
        let is_optional = required.next_if(|required| *required == name).is_none();
        // The keyword `required` of such an object would collide with that of the parameter.
        if is_optional && schema.contains_key("required") {
            return None;
        }
        if is_optional {
            schema.insert("required".to_owned(), false.into());
        }
        params.insert(name.clone(), Json::Object(schema));
    }
    // A required name that is not a property, or names in another order.
    if required.next().is_some() {
        return None;
    }
    let is_other = |key: &str| !matches!(key, "type" | "properties" | "required");
    let others: Map<String, Json> = map
        .iter()
        .filter(|(key, _)| is_other(key))
        .map(|(key, json)| (key.clone(), json.clone()))
        .collect();
    let mut entries = vec![("params", Json::Object(params))];
    if !others.is_empty() {
        entries.push(("schema", Json::Object(others)));
    }
    Some(entries)
}
