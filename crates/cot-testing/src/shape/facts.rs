//! Reads the keywords that values are generated from.

use cot_schema::internal::{Place, Subschema, Types};
use serde_json::Value;

use super::numbers::Bounds;

/// The types of JSON by name.
const TYPES: [(&str, Types); 6] = [
    ("null", Types::NULL),
    ("boolean", Types::BOOL),
    ("number", Types::NUMBER),
    ("string", Types::TEXT),
    ("array", Types::LIST),
    ("object", Types::OBJECT),
];
/// Keywords that imply a type if `type` is missing.
const TYPE_KEYWORDS: [(&str, &[&str]); 4] = [
    ("object", &["properties", "required", "additionalProperties", "patternProperties"]),
    ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
    ("string", &["minLength", "maxLength", "pattern"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
];
static NEVER: Value = Value::Bool(false);

/// Returns the types that all schemas accept; `None` if no keyword implies a type.
pub(super) fn types(place: &Place<'_>) -> Option<Vec<&'static str>> {
    if !place.has_any_keyword(&["type"]) {
        let told = TYPE_KEYWORDS.iter().find(|(_, keywords)| place.has_any_keyword(keywords));
        return told.map(|(name, _)| vec![*name]);
    }
    let admitted = |(name, types): &(&'static str, Types)| match place.types {
        all if all.contains(*types) => Some(*name),
        whole if *types == Types::NUMBER && whole.contains(Types::INTEGER) => Some("integer"),
        _ => None,
    };
    Some(TYPES.iter().filter_map(admitted).collect())
}

/// Returns the values of `enum` and `const`, if the schemas have one of them.
pub(super) fn values(place: &Place<'_>) -> Option<Vec<Value>> {
    let values = place.options.as_ref()?.iter();
    Some(
        values
            .filter(|value| place.types.contains(Types::from_value(value)))
            .copied()
            .cloned()
            .collect(),
    )
}

pub(super) fn bounds(place: &Place<'_>) -> Bounds {
    let mut bounds = Bounds::default();
    let numbers = |keyword| place.keyword_values(keyword).filter_map(Value::as_number);
    numbers("minimum").for_each(|limit| bounds.at_least(limit, false));
    numbers("exclusiveMinimum").for_each(|limit| bounds.at_least(limit, true));
    numbers("maximum").for_each(|limit| bounds.at_most(limit, false));
    numbers("exclusiveMaximum").for_each(|limit| bounds.at_most(limit, true));
    numbers("multipleOf").for_each(|step| bounds.multiple_of(step));
    place
        .keyword_values("format")
        .filter_map(Value::as_str)
        .for_each(|format| bounds.apply_format(format));
    bounds
}

/// Returns the members that schemas name or require, in order of first mention.
pub(super) fn members<'s>(place: &Place<'s>) -> Vec<(&'s str, Vec<Subschema<'s>>)> {
    let mut members = place.properties.clone();
    for name in &place.required {
        if !members.iter().any(|(known, _)| known == name) {
            let never = place.is_closed.then(|| Subschema::new(&NEVER));
            members.push((name, place.others.iter().copied().chain(never).collect()));
        }
    }
    members
}
