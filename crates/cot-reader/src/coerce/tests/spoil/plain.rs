//! The fast path for valid replies agrees with the full reader.

use cot_schema::{OutputSchema, internal::BorrowedJson};
use serde_json::Value;

use super::{ROUNDS, Spoiler, types::samples};
use crate::{
    coerce::{shape::CoercionGraph, target::coerce_and_validate},
    output::valid_text,
};

/// Minimum percentage of valid values that must take the fast path.
const MIN_TAKEN: usize = 35;

#[test]
fn what_is_taken_as_it_stands_is_read_as_the_same_with_care() {
    let (mut taken, mut all) = (0, 0);
    for sample in samples() {
        let schema = OutputSchema::from_json("sample", sample.schema.clone());
        taken += usize::from(is_taken(&schema, &sample.value));
        all += 1;
        for seed in 0..ROUNDS {
            let mut spoiler = Spoiler::new(&sample, seed);
            let spoiled = spoiler.spoil(sample.value.clone());
            is_taken(&schema, &spoiled);
        }
    }
    assert!(taken * 100 >= all * MIN_TAKEN, "{taken} of {all} are taken");
}

/// Returns whether a value takes the fast path, and asserts that it then has no errors and needs no repairs.
fn is_taken(schema: &OutputSchema, value: &Value) -> bool {
    let json = value.to_string();
    let plain = BorrowedJson::parse(&json).expect("JSON");
    assert_eq!(Value::from(&plain), *value);
    if valid_text(schema, &json, &plain).is_none() {
        return false;
    }
    let fit = coerce_and_validate(CoercionGraph::new(schema.graph()), value.clone(), |value| {
        schema.validate(value)
    });
    assert!(fit.issues.is_empty() && fit.repairs.is_empty(), "{json}: {}", fit.issues);
    assert_eq!(fit.value, *value);
    true
}

#[test]
fn json_is_plain_where_nothing_has_to_be_looked_up_at_length() {
    let text = r#" {"a": [1, -2.5, "x\ny", null], "\u00e4": {"b": true}} "#;
    let plain = BorrowedJson::parse(text).unwrap();
    assert_eq!(Value::from(&plain), serde_json::from_str::<Value>(text).unwrap());
    let members: Vec<_> = (0..33).map(|number| format!("\"{number}\":1")).collect();
    let many = format!("{{{}}}", members.join(","));
    // Keys by which `serde_json` represents numbers and raw JSON.
    for key in ["Number", "RawValue"] {
        assert_eq!(
            BorrowedJson::parse(&format!(r#"{{"a":{{"$serde_json::private::{key}":"1"}}}}"#)),
            None
        );
    }
    for text in [&many, r#"{"a":1,"a":1}"#, "{'a':1}", "{} x", "", "[1,]", "{\"a\":1e999}"] {
        assert_eq!(BorrowedJson::parse(text), None, "{text}");
    }
}
