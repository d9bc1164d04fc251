//! Values in the forms of rewritten schemas. Each is read as exactly the original value.

use cot_schema::{Dialect, internal::compile_any};
use jsonschema::json::SerdeJson;
use serde_json::{Map, Value, json};

use super::types::samples;
use crate::reader::Reader;

pub(super) const ALL: [Dialect; 5] =
    [Dialect::OpenAiStrict, Dialect::Anthropic, Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm];

/// Maximum nesting of wrapper objects.
pub(super) const WRAPS: usize = 2;

#[test]
fn values_in_the_form_of_a_dialect_are_read_as_they_were() {
    let mut count = 0;
    for (sample, dialect) in samples().iter().flat_map(|sample| ALL.map(|d| (sample, d))) {
        let Ok(schema) = dialect.rewrite(&sample.schema) else { continue };
        let Some(written) = written(&sample.value, &schema, &schema, WRAPS) else { continue };
        count += 1;
        let reader = Reader::new(&sample.schema).expect("a schema");
        let read = reader.read(&written.to_string()).map(|reading| reading.value);
        let read = read.unwrap_or_else(|error| panic!("{}: {written}: {error}", sample.name));
        assert_eq!((sample.parse)(&read).as_ref(), Some(&sample.value), "{written} as {read}");
    }
    assert!(count > samples().len() * 3, "{count} were written");
}

/// Converts a value to the form of a rewritten schema.
pub(super) fn written(value: &Value, schema: &Value, root: &Value, wraps: usize) -> Option<Value> {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return written(value, root.pointer(target.strip_prefix('#')?)?, root, wraps);
    }
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        // Not all values need a wrapper.
        return (0..=wraps).find_map(|wraps| {
            branches.iter().find_map(|branch| written(value, branch, root, wraps))
        });
    }
    if *schema == true || *schema == json!({}) {
        return Some(value.clone());
    }
    let form = match (value, schema.get("properties"), schema.get("items")) {
        (Value::Object(_) | Value::Array(_), _, _) if schema["type"] == "string" => {
            Value::String(value.to_string())
        }
        (_, Some(Value::Object(properties)), _) => {
            member_wise(value, (schema, properties), root, wraps)?
        }
        (Value::Object(members), None, Some(entry)) => {
            let entry = |(key, value)| {
                let value = written(value, entry.pointer("/properties/value")?, root, WRAPS)?;
                Some(json!({ "key": key, "value": value }))
            };
            members.iter().map(entry).collect::<Option<Value>>()?
        }
        (Value::Object(members), None, None) => {
            let values = schema.get("additionalProperties").unwrap_or(&Value::Bool(true));
            let member = |(key, value): (&String, &Value)| {
                Some((key.clone(), written(value, values, root, WRAPS)?))
            };
            Value::Object(members.iter().map(member).collect::<Option<_>>()?)
        }
        (Value::Array(items), _, Some(item)) => items
            .iter()
            .map(|value| written(value, item, root, WRAPS))
            .collect::<Option<Value>>()?,
        _ => value.clone(),
    };
    let mut alone = schema.clone();
    alone
        .as_object_mut()?
        .insert("$defs".to_owned(), root.get("$defs").cloned().unwrap_or(json!({})));
    compile_any::<SerdeJson>(&alone).ok()?.is_valid(&form).then_some(form)
}

/// Adds null for absent members of an object, or wraps it.
fn member_wise(
    value: &Value,
    (schema, properties): (&Value, &Map<String, Value>),
    root: &Value,
    wraps: usize,
) -> Option<Value> {
    if let (1, Some((name, schema))) = (properties.len(), properties.iter().next())
        && value.get(name).is_none()
    {
        let wraps = wraps.checked_sub(1)?;
        return Some(json!({ (name.clone()): written(value, schema, root, wraps)? }));
    }
    let members = value.as_object()?;
    let other = |(key, value): (&String, &Value)| {
        let values = schema.get("additionalProperties").filter(|values| **values != false)?;
        Some((key.clone(), written(value, values, root, WRAPS)?))
    };
    let others = members.iter().filter(|(key, _)| !properties.contains_key(*key));
    let others: Map<_, _> = others.map(other).collect::<Option<_>>()?;
    let member = |(name, schema): (&String, &Value)| {
        let value = members.get(name).unwrap_or(&Value::Null);
        Some((name.clone(), written(value, schema, root, WRAPS)?))
    };
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let is_written = |(name, _): &(&String, &Value)| {
        members.contains_key(*name) || required.iter().any(|required| required == *name)
    };
    let all: Option<Map<_, _>> = properties.iter().filter(is_written).map(member).collect();
    Some(Value::Object(all?.into_iter().chain(others).collect()))
}
