//! Schemas at random, of the shapes that `schemars` makes.

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Map, Value, json};

use cot_core::model::Dialect;

use crate::{
    DIALECTS, Values,
    engines::{Guidance, Outlines},
    wrong,
};

const DEFINITIONS: [&str; 3] = ["Alpha", "Beta", "Gamma"];
const CASES: u32 = 200;
/// Engines take their time.
const CASES_ON_ENGINES: u32 = 60;

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({ "type": "string" })),
        (0..3_u32, 3..60_u32).prop_map(|(least, most)| {
            json!({ "type": "string", "minLength": least, "maxLength": most })
        }),
        Just(json!({ "type": "string", "pattern": "^[a-z][a-z0-9]*$" })),
        Just(json!({ "type": "string", "pattern": r"\d{2}" })),
        prop::sample::select(vec!["date", "uuid", "uri", "ip", "email"])
            .prop_map(|format| json!({ "type": "string", "format": format })),
        (0..9_i64, 9..99_i64).prop_map(|(low, high)| {
            json!({ "type": "integer", "format": "uint8", "minimum": low, "maximum": high })
        }),
        Just(json!({ "type": "integer", "format": "uint64", "minimum": 0 })),
        Just(json!({ "type": "number", "format": "double" })),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": ["string", "null"], "maxLength": 9 })),
        Just(json!({ "type": "null" })),
        Just(json!({ "type": "string", "enum": ["one", "two"] })),
        Just(json!({ "type": ["string", "null"], "enum": ["one", "two", null] })),
        Just(json!({ "oneOf": [
            { "type": "string", "const": "one", "description": "The first." },
            { "type": "string", "const": "two" },
        ] })),
        Just(json!({ "type": "string", "minLength": 1, "maxLength": 1 })),
    ]
}

fn reference() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(DEFINITIONS.to_vec());
    (name, 0..4_u8).prop_map(|(name, beside)| {
        let reference = json!({ "$ref": format!("#/$defs/{name}") });
        match beside {
            0 => json!({ "description": "What it is", "$ref": format!("#/$defs/{name}") }),
            1 => json!({ "anyOf": [reference, { "type": "null" }], "default": null }),
            2 => json!({ "description": "All", "allOf": [reference] }),
            _ => reference,
        }
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![4 => scalar(), 1 => reference()];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0..2_u32, any::<bool>()).prop_map(|(items, least, unique)| {
                json!({ "type": "array", "items": items, "minItems": least, "uniqueItems": unique })
            }),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| {
                json!({ "type": "array", "prefixItems": [one, other], "minItems": 2, "maxItems": 2 })
            }),
            inner.clone().prop_map(|values| {
                json!({ "type": "object", "additionalProperties": values })
            }),
            inner.clone().prop_map(|one| json!({ "anyOf": [one, { "type": "null" }] })),
            object(inner.clone()),
            prop::collection::vec(object(inner.clone()), 1..4).prop_map(tagged),
            prop::collection::vec(inner, 1..4).prop_map(external),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((inner, any::<bool>(), any::<bool>()), 0..4).prop_map(|members| {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (index, (mut schema, is_required, is_described)) in members.into_iter().enumerate() {
            let name = format!("field{index}");
            if is_described {
                schema["description"] = json!("What people read");
            }
            if is_required {
                required.push(name.clone());
            }
            properties.insert(name, schema);
        }
        // Closed, as values that fit are to have no members that nobody declared.
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    })
}

/// An enum with the tag inside.
fn tagged(mut objects: Vec<Value>) -> Value {
    for (index, object) in objects.iter_mut().enumerate() {
        object["properties"]["kind"] = json!({ "type": "string", "const": format!("kind{index}") });
        object["required"].as_array_mut().unwrap().push(json!("kind"));
    }
    json!({ "oneOf": objects })
}

/// An enum with the tag outside.
fn external(values: Vec<Value>) -> Value {
    let mut branches = vec![json!({ "type": "string", "enum": ["Nothing"] })];
    for (index, value) in values.into_iter().enumerate() {
        let name = format!("Variant{index}");
        branches.push(json!({
            "type": "object",
            "properties": { name.as_str(): value },
            "required": [name],
            "additionalProperties": false,
        }));
    }
    json!({ "oneOf": branches })
}

/// What a step asks for: an output, or a choice beside it.
fn root() -> impl Strategy<Value = Value> {
    let definitions = prop::array::uniform3(object(value()));
    (object(value()), definitions, any::<bool>()).prop_map(|(output, definitions, chooses)| {
        let definitions: Map<_, _> =
            DEFINITIONS.iter().map(|name| (*name).to_owned()).zip(definitions).collect();
        let mut schema = output;
        if chooses {
            let choice = |target: &str| {
                json!({
                    "type": "object",
                    "properties": {
                        "intent": { "type": "string" },
                        "goTo": { "type": "string", "enum": [target] },
                    },
                    "required": ["intent", "goTo"],
                    "additionalProperties": false,
                })
            };
            schema = json!({ "anyOf": [choice("here"), choice("there"), schema] });
        }
        schema["$defs"] = Value::Object(definitions);
        schema
    })
}

/// The same cases in every run.
fn check(cases: u32, property: impl Fn(&Value) -> Result<(), TestCaseError>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, random);
    runner.run(&root(), |schema| property(&schema)).unwrap();
}

/// How many schemas a dialect could express.
fn expressed(
    dialect: Dialect,
    cases: u32,
    see: impl Fn(&Value, &Value) -> Result<(), TestCaseError>,
) -> u32 {
    let expressed = std::cell::Cell::new(0);
    check(cases, |schema| {
        match dialect.rewrite(schema) {
            Ok(rewritten) => {
                expressed.set(expressed.get() + 1);
                see(schema, &rewritten)?;
            }
            Err(reasons) => prop_assert!(reasons.iter().all(|one| !one.reason.is_empty())),
        }
        Ok(())
    });
    expressed.get()
}

#[test]
fn documented_rules_are_kept() {
    for dialect in DIALECTS {
        let expressed = expressed(dialect, CASES, |schema, rewritten| {
            let wrong = wrong(dialect, rewritten);
            prop_assert!(wrong.is_empty(), "{wrong:#?}\nfrom {schema}\nto {rewritten}");
            prop_assert!(jsonschema::draft202012::new(rewritten).is_ok());
            Ok(())
        });
        let least = if dialect == Dialect::Anthropic { CASES / 20 } else { CASES / 4 };
        assert!(expressed >= least, "{dialect:?}: {expressed} of {CASES}");
    }
}

#[test]
fn what_fits_a_schema_fits_what_became_of_it() {
    for dialect in [Dialect::Gemini, Dialect::LlamaCpp, Dialect::Vllm] {
        expressed(dialect, CASES, |schema, rewritten| {
            let validator = jsonschema::draft202012::new(rewritten).unwrap();
            let mut values = Values::new(schema, 3);
            for value in (0..5).filter_map(|_| values.valid()) {
                prop_assert!(validator.is_valid(&value), "{value}\nfrom {schema}\nto {rewritten}");
            }
            Ok(())
        });
    }
}

#[test]
fn engines_take_them() {
    for dialect in [Dialect::OpenAiStrict, Dialect::Vllm] {
        expressed(dialect, CASES_ON_ENGINES, |_, rewritten| {
            let guidance = Guidance::new(rewritten);
            prop_assert!(guidance.is_ok(), "{:?}\n{rewritten}", guidance.err());
            let guidance = guidance.unwrap();
            let mut values = Values::new(rewritten, 5);
            for value in (0..3).filter_map(|_| values.valid()) {
                prop_assert!(guidance.takes(&value), "{value}\n{rewritten}");
            }
            for value in (0..3).filter_map(|_| values.invalid()) {
                prop_assert!(!guidance.takes(&value), "{value}\n{rewritten}");
            }
            let regex = Outlines::expression(rewritten);
            prop_assert!(regex.is_ok(), "{:?}\n{rewritten}", regex.err());
            Ok(())
        });
    }
}
