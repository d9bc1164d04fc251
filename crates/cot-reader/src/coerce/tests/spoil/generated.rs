//! Values of schemas at random, in the forms of each dialect.

use std::cell::Cell;

use proptest::{collection::vec, prelude::*, strategy::ValueTree, test_runner::TestRunner};
use serde_json::{Map, Value, json};

use super::dialects::{ALL, WRAPS, written};
use crate::reader::Reader;

const CASES: u32 = 150;

/// A schema with one of its values.
type Pair = (Value, Value);

/// Generates JSON of any kind.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-99..99_i64).prop_map(Value::from),
        "[a-z ]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec(("[k-p]{1,3}", inner), 0..3).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Generates an object of any kind with at least so many members.
fn object(least: usize) -> impl Strategy<Value = Value> {
    vec(anything(), least..4).prop_map(|values| {
        let named = values.into_iter().enumerate().map(|(at, value)| (format!("k{at}"), value));
        named.collect()
    })
}

fn valued(schema: Value, values: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Pair> {
    values.prop_map(move |value| (schema.clone(), value)).boxed()
}

/// Objects and lists without a word about what is in them.
fn loose() -> BoxedStrategy<Pair> {
    prop_oneof![
        valued(json!({ "type": "object" }), object(0)),
        valued(json!({ "type": "object", "description": "Any filter as a map." }), object(0)),
        valued(json!({ "type": "object", "required": ["k0"] }), object(1)),
        valued(json!({ "type": "object", "minProperties": 2 }), object(2)),
        valued(json!({ "type": "object", "additionalProperties": true }), object(0)),
        valued(json!({ "type": "object", "propertyNames": { "pattern": "^k[0-9]$" } }), object(0)),
        valued(json!({ "type": ["object", "null"] }), prop_oneof![object(0), Just(Value::Null)]),
        valued(json!({ "type": "array" }), vec(anything(), 0..3).prop_map(Value::from)),
        valued(
            json!({ "type": "array", "items": {}, "minItems": 1 }),
            vec(anything(), 1..3).prop_map(Value::from)
        ),
        valued(
            json!({
                "type": "object",
                "patternProperties": { "^k": { "type": "integer" }, "^l": { "type": "boolean" } },
            }),
            (any::<i32>(), any::<bool>()).prop_map(|(k, l)| json!({ "k": k, "l": l })),
        ),
    ]
    .boxed()
}

fn scalar() -> BoxedStrategy<Pair> {
    prop_oneof![
        valued(json!({ "type": "string" }), "[a-z]{1,8}".prop_map(Value::from)),
        valued(json!({ "type": "integer" }), any::<i32>().prop_map(Value::from)),
        valued(json!({ "enum": ["one", "two"] }), Just(json!("two"))),
        valued(json!({ "type": "boolean" }), any::<bool>().prop_map(Value::from)),
    ]
    .boxed()
}

fn pair() -> impl Strategy<Value = Pair> {
    let leaf = prop_oneof![1 => scalar(), 2 => loose()];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|(schema, value)| {
                (json!({ "type": "array", "items": schema }), json!([value, value]))
            }),
            inner.clone().prop_map(|(schema, value)| {
                (json!({ "type": "object", "additionalProperties": schema }), json!({ "k": value }))
            }),
            (inner.clone(), scalar(), any::<[bool; 3]>()).prop_map(named),
            inner,
        ]
    })
}

/// An object that names its members, of which one may be absent and others may be there.
fn named(((first, one), (second, other), is): (Pair, Pair, [bool; 3])) -> Pair {
    let [is_absent, is_open, has_others] = is;
    let mut schema = json!({
        "type": "object",
        "properties": { "first": first, "second": second },
        "required": ["first"],
    });
    let mut value = Map::from_iter([("first".to_owned(), one)]);
    if !is_absent {
        value.insert("second".to_owned(), other);
    }
    if is_open {
        schema["additionalProperties"] = json!({ "type": "boolean" });
        value.extend(has_others.then(|| ("third".to_owned(), json!(true))));
    }
    (schema, Value::Object(value))
}

#[test]
fn each_value_has_a_form_in_each_dialect_that_is_read_as_the_value() {
    let written_in = ALL.map(|_| Cell::new(0));
    let config =
        ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let root = (pair(), "[a-z]{1,4}").prop_map(|((schema, value), note)| {
        let properties = json!({ "it": schema, "note": { "type": "string" } });
        let schema =
            json!({ "type": "object", "properties": properties, "required": ["it", "note"] });
        (schema, json!({ "it": value, "note": note }))
    });
    let property = |(schema, value): Pair| {
        let reader = Reader::new(&schema).expect("a schema");
        prop_assert_eq!(reader.read(&value.to_string()).expect("it is valid").value, value.clone());
        for (dialect, count) in ALL.into_iter().zip(&written_in) {
            let Ok(sent) = dialect.rewrite(&schema) else { continue };
            let form = written(&value, &sent, &sent, WRAPS);
            prop_assert!(
                form.is_some(),
                "{dialect:?}: no form of {value}\nfrom {schema}\nto {sent}"
            );
            let form = form.unwrap_or_default();
            let read = reader.read(&form.to_string()).map(|reading| reading.value);
            prop_assert_eq!(read.as_ref(), Ok(&value), "{:?}: {}\nto {}", dialect, form, sent);
            count.set(count.get() + 1);
        }
        Ok(())
    };
    TestRunner::new(config).run(&root, property).unwrap_or_else(|error| panic!("{error}"));
    for (dialect, count) in ALL.into_iter().zip(written_in) {
        assert!(count.get() > CASES / 2, "{dialect:?} expressed {count:?} of {CASES}");
    }
}

#[test]
fn loose_objects_and_lists_are_expressed_by_every_dialect() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..100 {
        let (inner, _) = loose().new_tree(&mut runner).expect("a value").current();
        let schema = json!({ "type": "object", "properties": { "it": inner }, "required": ["it"] });
        for dialect in ALL {
            assert!(dialect.rewrite(&schema).is_ok(), "{dialect:?}: {schema}");
        }
    }
}
