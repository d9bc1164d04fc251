//! Tables of values with the results of coercion, or the expected issues.

use cot_schema::internal::{SchemaGraph, TypeRules};
use serde_json::{Value, json};

use super::{choice::is_alike, shape::CoercionGraph, target::AnySchema};
use crate::{
    repair::class::RepairClass,
    target::{CoercionResult, Target},
};

mod conformance;
mod hostile;
mod lists;
mod losses;
mod numbers;
mod objects;
mod partials;
mod properties;
mod rules;
mod scalars;
mod spoil;
mod types;
mod variants;

fn compiled(schema: &Value, rules: &[TypeRules], root: Option<&str>) -> CoercionGraph<'static> {
    CoercionGraph::new(Box::leak(Box::new(SchemaGraph::compile(schema, rules, root))))
}

fn fit(schema: &Value, value: &Value) -> CoercionResult {
    AnySchema::new(schema.clone()).expect("a schema").fit(value.clone())
}

/// Asserts that each value is coerced to the other one with a repair, and that the result needs no coercion.
#[track_caller]
fn reads(schema: &Value, cases: &[(Value, Value)]) {
    for (given, wanted) in cases {
        let fitted = fit(schema, given);
        assert!(fitted.issues.is_empty(), "{given} for {schema}: {}", fitted.issues);
        assert!(is_alike(&fitted.value, wanted), "{given} for {schema}: {}", fitted.value);
        assert_eq!(fitted.repairs.is_empty(), fitted.value == *given, "{given} for {schema}");
        let is_loss = fitted.repairs.iter().any(|repair| repair.class() == RepairClass::Loss);
        assert!(!is_loss, "{given} for {schema}: {:?}", fitted.repairs);
        let again = fit(schema, &fitted.value);
        assert_eq!(again.value, fitted.value, "{given} for {schema}, read twice");
        assert!(again.repairs.is_empty(), "{given} for {schema}, read twice: {:?}", again.repairs);
    }
}

/// Asserts that each value is coerced to the other one with a loss and without other issues.
#[track_caller]
fn loses(schema: &Value, cases: &[(Value, Value)]) {
    for (given, wanted) in cases {
        let fitted = fit(schema, given);
        assert!(fitted.issues.is_empty(), "{given} for {schema}: {}", fitted.issues);
        assert!(is_alike(&fitted.value, wanted), "{given} for {schema}: {}", fitted.value);
        let is_loss = fitted.repairs.iter().any(|repair| repair.class() == RepairClass::Loss);
        assert!(is_loss, "{given} for {schema}: {:?}", fitted.repairs);
    }
}

/// Asserts that each value has an issue.
#[track_caller]
fn refuses(schema: &Value, given: &[Value]) {
    for given in given {
        let fitted = fit(schema, given);
        assert!(!fitted.issues.is_empty(), "{given} for {schema}: {}", fitted.value);
    }
}

/// Asserts that each value is valid and needs no coercion.
#[track_caller]
fn keeps(schema: &Value, given: &[Value]) {
    let same: Vec<_> = given.iter().map(|given| (given.clone(), given.clone())).collect();
    reads(schema, &same);
}

/// Returns the issues of a value as text.
fn issues(schema: &Value, given: &Value) -> String {
    fit(schema, given).issues.to_string()
}

/// Returns the schema of an object with one property.
fn with(property: &Value) -> Value {
    json!({ "type": "object", "properties": { "v": property }, "required": ["v"] })
}

/// Wraps values into objects with that property.
fn under(values: &[Value]) -> Vec<Value> {
    values.iter().map(|value| json!({ "v": value })).collect()
}

/// Wraps pairs of values.
fn pairs_under(pairs: &[(Value, Value)]) -> Vec<(Value, Value)> {
    let pair = |(one, other): &(Value, Value)| (json!({ "v": one }), json!({ "v": other }));
    pairs.iter().map(pair).collect()
}
