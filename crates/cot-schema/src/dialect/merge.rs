//! Merges several schemas into one with the constraints of all of them.

use std::mem;

use serde_json::{Map, Value, json};

/// Merges the constraints of another schema into this one.
///
/// Constraints that can't be expressed in one schema are left to validation: the result may accept more
/// values than both schemas together, never fewer.
pub(super) fn merge(into: &mut Map<String, Value>, other: Map<String, Value>) {
    for (keyword, theirs) in other {
        match into.get_mut(&keyword) {
            Some(ours) => merge_keyword(&keyword, ours, theirs),
            None => {
                into.insert(keyword, theirs);
            }
        }
    }
}

fn merge_keyword(keyword: &str, ours: &mut Value, theirs: Value) {
    if *ours == theirs {
        return;
    }
    match keyword {
        "properties" | "patternProperties" => merge_members(ours, theirs),
        "required" => extend(ours, theirs),
        "items" => *ours = both(ours, theirs),
        "enum" => *ours = Value::Array(intersection(ours, theirs)),
        "type" => {
            let mut types = intersection(ours, theirs);
            *ours = if types.len() == 1 { types.remove(0) } else { Value::Array(types) };
        }
        "additionalProperties" if theirs == false => *ours = theirs,
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
            if theirs.as_f64() > ours.as_f64() =>
        {
            *ours = theirs;
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties"
            if theirs.as_f64() < ours.as_f64() =>
        {
            *ours = theirs;
        }
        _ => {}
    }
}

fn merge_members(ours: &mut Value, theirs: Value) {
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else {
        return;
    };
    for (name, schema) in theirs {
        match ours.get_mut(&name) {
            Some(own) if *own != schema => *own = both(own, schema),
            Some(_) => {}
            None => {
                ours.insert(name, schema);
            }
        }
    }
}

fn both(ours: &mut Value, theirs: Value) -> Value {
    json!({ "allOf": [mem::take(ours), theirs] })
}

fn extend(ours: &mut Value, theirs: Value) {
    if let (Value::Array(ours), Value::Array(theirs)) = (ours, theirs) {
        for name in theirs {
            if !ours.contains(&name) {
                ours.push(name);
            }
        }
    }
}

/// Returns the values that are in both lists. A single value counts as a list, and an integer as a number.
///
/// If there are none, the schemas contradict each other, which validation will report; returns `ours`.
fn intersection(ours: &mut Value, theirs: Value) -> Vec<Value> {
    let (own, theirs) = (listed(mem::take(ours)), listed(theirs));
    let is_in = |value: &Value, list: &[Value]| {
        list.contains(value) || (*value == "integer" && list.contains(&json!("number")))
    };
    let mut kept: Vec<Value> = own.iter().filter(|value| is_in(value, &theirs)).cloned().collect();
    kept.extend(theirs.iter().filter(|value| is_in(value, &own) && !own.contains(value)).cloned());
    if kept.is_empty() { own } else { kept }
}

fn listed(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        value => vec![value],
    }
}
