//! Random schemas that no type has.

use std::sync::Arc;

use cot_core::{model::ReplySchema, testing::Replies};
use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value, json};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_replies_fit_and_others_do_not(schema in schema(), seed: u64) {
        let validator = jsonschema::draft202012::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        let reply_schema = Arc::new(ReplySchema { name: "any".into(), json: schema.clone() });
        let mut replies = Replies::seeded(seed);
        for _ in 0..10 {
            let valid = replies.valid(&reply_schema);
            prop_assert!(validator.is_valid(&valid), "{}\nfor {}", valid, schema);
            for wrong in [replies.nearly_valid(&reply_schema), replies.invalid(&reply_schema)] {
                prop_assert!(!validator.is_valid(&wrong), "{}\nfor {}", wrong, schema);
            }
        }
    }
}

/// With few constraints, most mistakes are valid.
#[test]
fn replies_do_not_fit_a_schema_that_nearly_all_fit() {
    let inner = json!({ "type": "array", "prefixItems": [{ "type": "integer", "maximum": 9 }] });
    let json = json!({ "type": "array", "prefixItems": [inner] });
    let validator = jsonschema::validator_for(&json).unwrap();
    let schema = Arc::new(ReplySchema { name: "any".into(), json });
    let mut replies = Replies::seeded(1);
    for _ in 0..3000 {
        for wrong in [replies.nearly_valid(&schema), replies.invalid(&schema)] {
            assert!(!validator.is_valid(&wrong), "{wrong}");
        }
    }
}

/// Schemas that some values match and others do not.
fn schema() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![integers(), numbers(), texts(), Just(json!({ "type": "boolean" })), names()];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            objects(inner.clone()),
            lists(inner.clone()),
            maps(inner.clone()),
            vec(inner.clone(), 1..4).prop_map(|of| json!({ "anyOf": of })),
            vec(inner.clone(), 1..4).prop_map(|of| json!({ "type": "array", "prefixItems": of })),
            // Constraints that all schemas repeat.
            inner.prop_map(|of| json!({ "allOf": [of, of], "description": "twice" })),
        ]
    })
}

fn integers() -> impl Strategy<Value = Value> {
    (-1000..1000_i64, 0..1000_i64, 1..20_i64).prop_map(|(low, width, step)| {
        let high = low + width.max(step);
        json!({ "type": "integer", "minimum": low, "maximum": high, "multipleOf": step })
    })
}

fn numbers() -> impl Strategy<Value = Value> {
    let steps = prop_oneof![Just(0.5), Just(0.01), Just(0.1), Just(3.0)];
    (-1e3..1e3_f64, 3.1..1e3_f64, proptest::option::of(steps)).prop_map(|(low, width, step)| {
        let mut schema = json!({
            "type": "number", "exclusiveMinimum": low, "exclusiveMaximum": low + width,
        });
        if let Some(step) = step {
            schema["multipleOf"] = json!(step);
        }
        schema
    })
}

fn texts() -> impl Strategy<Value = Value> {
    let patterns = prop_oneof![Just("^[a-z]+$"), Just("[0-9]"), Just("^k-"), Just("x$")];
    let formats = prop_oneof![Just("email"), Just("date-time"), Just("uuid"), Just("ipv6")];
    prop_oneof![
        (0..30_u64, 0..30_u64).prop_map(|(min, more)| {
            json!({ "type": "string", "minLength": min, "maxLength": min + more })
        }),
        (patterns, 0..30_u64).prop_map(|(pattern, min)| {
            json!({ "type": "string", "pattern": pattern, "minLength": min })
        }),
        formats.prop_map(|format| json!({ "type": ["string", "null"], "format": format })),
    ]
}

fn names() -> impl Strategy<Value = Value> {
    vec("[a-zA-Z]{1,6}", 1..4).prop_map(|names| json!({ "enum": names }))
}

fn objects(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    (vec((inner, any::<bool>()), 1..4), any::<bool>()).prop_map(|(members, is_closed)| {
        let name = |position: usize| format!("m{position}");
        let required: Vec<_> = (0..members.len()).filter(|i| members[*i].1).map(name).collect();
        let named = members.into_iter().enumerate().map(|(i, (schema, _))| (name(i), schema));
        let properties: Map<_, _> = named.collect();
        let mut schema =
            json!({ "type": "object", "properties": properties, "required": required });
        if is_closed {
            schema["additionalProperties"] = json!(false);
        }
        schema
    })
}

fn lists(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (inner, 0..3_u64, 0..3_u64).prop_map(|(items, min, more)| {
        json!({ "type": "array", "items": items, "minItems": min, "maxItems": min + more })
    })
}

fn maps(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (inner, 0..3_u64).prop_map(|(values, min)| {
        json!({ "type": "object", "additionalProperties": values, "minProperties": min })
    })
}
