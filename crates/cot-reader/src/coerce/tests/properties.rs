//! Property tests for all values and schemas.

use cot_schema::{Issues, internal::compile};
use jsonschema::json::SerdeJson;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{compiled, is_alike};
use crate::{
    coerce::{coercer::Coercer, shape::CoercionGraph},
    repair::repairs::Repairs,
};

/// A schema with a valid value.
fn schema_and_value() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(|n| (json!({ "type": "integer" }), json!(n))),
        any::<bool>().prop_map(|b| (json!({ "type": "boolean" }), json!(b))),
        "[a-z ]{0,8}".prop_map(|s| (json!({ "type": "string" }), json!(s))),
        (-1e6..1e6).prop_map(|n: f64| (json!({ "type": "number" }), json!(n))),
        prop::sample::select(vec!["red", "dark_blue", "None"])
            .prop_map(|s| (json!({ "enum": ["red", "dark_blue", "None"] }), json!(s))),
        Just((json!({ "type": ["integer", "null"] }), json!(null))),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|(schema, value)| {
                (json!({ "type": "array", "items": schema }), json!([value.clone(), value]))
            }),
            inner.clone().prop_map(|(schema, value)| {
                (json!({ "type": "object", "additionalProperties": schema }), json!({ "k": value }))
            }),
            (prop::collection::vec(inner.clone(), 1..4), any::<bool>()).prop_map(|(parts, closed)| {
                let (mut properties, mut members) = (Map::new(), Map::new());
                for (index, (schema, value)) in parts.into_iter().enumerate() {
                    properties.insert(format!("field_{index}"), schema);
                    members.insert(format!("field_{index}"), value);
                }
                let required: Vec<&String> = properties.keys().take(1).collect();
                let schema = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": !closed });
                (schema, Value::Object(members))
            }),
            (inner.clone(), inner, any::<bool>()).prop_map(|((one, value), (other, _), first)| {
                let branches = if first { [one, other] } else { [other, one] };
                (json!({ "anyOf": branches }), value)
            }),
        ]
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        any::<i64>().prop_map(|n| json!(n)),
        any::<f32>().prop_map(|n| json!(n)),
        prop::sample::select(vec![
            "1,5",
            "RED",
            "dark blue",
            "true",
            "null",
            "{\"field_0\": 1}",
            "[1]",
            "x",
            "50%",
            ""
        ])
        .prop_map(|s| json!(s)),
        ".{0,6}".prop_map(|s| json!(s)),
    ];
    let key = prop::sample::select(vec![
        "field_0", "Field 1", "field-0", "value", "result", "key", "type",
    ]);
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..4)
                .prop_map(|members| members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

fn coerced(shape: CoercionGraph<'_>, value: Value) -> (Value, Repairs, Issues) {
    let (mut repairs, mut doubts) = (Repairs::default(), Issues::new());
    let value = shape.coerce(value, &mut repairs, &mut doubts);
    (value, repairs, doubts)
}

proptest! {
    #[test]
    fn what_fits_is_left_alone((schema, value) in schema_and_value()) {
        let shape = compiled(&schema, &[], None);
        let (same, repairs, doubts) = coerced(shape, value.clone());
        prop_assert!(is_alike(&same, &value), "{} became {}", value, same);
        prop_assert!(repairs.is_empty() || same != value, "{} {:?}", schema, repairs);
        prop_assert!(doubts.is_empty());
        prop_assert!(shape.resembles(&value));
    }

    /// The fast path never accepts a valid value that coercion would change.
    #[test]
    fn what_is_taken_as_it_is_would_be_weighed_the_same(
        (schema, value) in schema_and_value(),
        (other_schema, _) in schema_and_value(),
        other in any_value(),
    ) {
        for schema in [schema, other_schema] {
            let shape = compiled(&schema, &[], None);
            let validator = compile::<SerdeJson>(&schema).unwrap();
            for value in [&value, &other] {
                let weighed = Coercer::new(shape, value).coerce(shape.root(), value, false);
                let is_taken = validator.is_valid(value) && shape.needs_no_coercion::<SerdeJson>(&value);
                prop_assert!(!is_taken || weighed.is_same(), "{} for {}: {:?}", value, schema, weighed);
            }
        }
    }

    /// If errors remain, a repair next to them may reveal another repair.
    #[test]
    fn what_was_coerced_is_left_alone((schema, _) in schema_and_value(), value in any_value()) {
        let shape = compiled(&schema, &[], None);
        if !Coercer::new(shape, &value).coerce(shape.root(), &value, false).fits() {
            return Ok(());
        }
        let (once, _, _) = coerced(shape, value.clone());
        let (twice, repairs, _) = coerced(shape, once.clone());
        prop_assert_eq!(&once, &twice, "{} for {}: {:?}", value, schema, repairs);
    }

    #[test]
    fn any_open_end_is_survived((schema, value) in schema_and_value(), other in any_value(), open in 0..6_usize) {
        let shape = compiled(&schema, &[], None);
        shape.coerce_partial(value, open);
        shape.coerce_partial(other, open);
    }

    #[test]
    fn any_schema_is_survived(schema in any_value(), keyword in prop::sample::select(vec!["anyOf", "properties", "items", "allOf", "enum", "required", "$ref"]), value in any_value()) {
        let shape = compiled(&json!({ keyword: schema, "type": ["object", "array", "integer"] }), &[], None);
        coerced(shape, value);
    }
}
