//! Any bytes and any tokens, read for several schemas: what is read fits its schema, and is read as
//! itself. The same is asked of the fuzz target.

use jsonschema::Validator;
use proptest::{
    prelude::*,
    test_runner::{Config, TestRng, TestRunner},
};
use serde_json::{Value, json};

use crate::reader::Reader;

/// The tokens of random replies, of which some can be read.
const TOKENS: [&str; 48] = [
    "{",
    "}",
    "[",
    "]",
    "{",
    "}",
    ":",
    ":",
    ",",
    ",",
    "\"",
    "'",
    "\"name\"",
    "'Name'",
    "name",
    "\"size\":",
    "size: ",
    "\"state\": ",
    "\"tags\":",
    "\"on\"",
    "\"kind\":",
    "\"group\"",
    "\"circle\"",
    "\"of\":",
    "\"r\":",
    "\"a\"",
    "\"In Progress\"",
    "done",
    "1",
    "-2.5",
    "\"1,200\"",
    "1e999",
    "NaN",
    "true",
    "None",
    "null",
    "\"yes\"",
    " ",
    "\n",
    "\\",
    "\\ud800",
    "\"{\\\"a\\\": 1}\"",
    "// x\n",
    "/*",
    "```json\n",
    "```",
    "<think>",
    "</think>",
];

fn replies() -> impl Strategy<Value = String> {
    let tokens = prop::collection::vec(prop::sample::select(TOKENS.to_vec()), 0..24);
    let soup = tokens.prop_map(|tokens| tokens.concat());
    let members = prop::collection::vec(prop::sample::select(TOKENS.to_vec()), 0..10);
    let object = members
        .prop_map(|members| format!("{{\"name\": \"a\", \"size\": 1, {}}}", members.concat()));
    let bytes = prop::collection::vec(any::<u8>(), 0..80);
    let bytes = bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![2 => soup, 2 => object, 1 => bytes]
}

#[test]
fn what_is_read_fits_and_is_read_as_itself() {
    let readers: Vec<_> = schemas().iter().map(reader).collect();
    // The replies are deterministic, so that failures are reproducible.
    let mut config = Config { failure_persistence: None, ..Config::default() };
    config.cases *= 8; // short replies
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(Default::default()));
    let checked = runner.run(&replies(), |reply| {
        readers.iter().try_for_each(|(reader, validator)| check(reader, validator, &reply))
    });
    if let Err(error) = checked {
        panic!("{error}");
    }
}

fn check(reader: &Reader, validator: &Validator, reply: &str) -> Result<(), TestCaseError> {
    let Ok(reading) = reader.read(reply) else { return Ok(()) };
    prop_assert!(validator.is_valid(&reading.value), "{}", reading.value);
    let again = reader.read(&reading.value.to_string());
    let again =
        again.map_err(|error| TestCaseError::fail(format!("{}: {error}", reading.value)))?;
    prop_assert_eq!(&again.value, &reading.value);
    prop_assert_eq!(again.repairs, []);
    Ok(())
}

fn reader(schema: &Value) -> (Reader, Validator) {
    (Reader::new(schema).unwrap(), jsonschema::draft202012::new(schema).unwrap())
}

fn schemas() -> [Value; 3] {
    let variant = |kind: &str, name: &str, schema: Value| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": kind }, name: schema },
            "required": ["kind", name],
        })
    };
    let circle = variant("circle", "r", json!({ "type": "number" }));
    let of = json!({ "type": "array", "items": { "$ref": "#/$defs/Shape" } });
    let group = variant("group", "of", of);
    [
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "maxLength": 20 },
                "size": { "type": "integer", "minimum": 0 },
                "state": { "enum": ["in_progress", "done"] },
                "tags": { "type": "array", "items": { "type": "string" } },
                "on": { "type": ["boolean", "null"] },
            },
            "required": ["name", "size"],
            "additionalProperties": false,
        }),
        json!({ "$ref": "#/$defs/Shape", "$defs": { "Shape": { "oneOf": [circle, group] } } }),
        json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
    ]
}
