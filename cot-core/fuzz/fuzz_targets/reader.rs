//! Reads any bytes with several schemas: no panic; a result matches its schema and is read unchanged.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run reader` in `cot-core`, once `cargo-fuzz` is installed.
#![no_main]

use std::sync::LazyLock;

use cot_core::reader::Reader;
use jsonschema::Validator;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

static READERS: LazyLock<Vec<(Reader, Validator)>> =
    LazyLock::new(|| schemas().iter().map(reader).collect());

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    let _ = Reader::any().read(text);
    for (reader, validator) in READERS.iter() {
        if let Ok(reading) = reader.read(text) {
            assert!(validator.is_valid(&reading.value), "{}", reading.value);
            let again = reader.read(&reading.value.to_string()).expect("a value reads as itself");
            assert_eq!(again.value, reading.value);
            assert_eq!(again.repairs, []);
        }
    }
});

fn reader(schema: &Value) -> (Reader, Validator) {
    let validator = jsonschema::draft202012::new(schema).expect("the schemas are valid");
    (Reader::new(schema).expect("the schemas are valid"), validator)
}

fn schemas() -> [Value; 3] {
    let circle = json!({
        "type": "object",
        "properties": { "kind": { "const": "circle" }, "r": { "type": "number" } },
        "required": ["kind", "r"],
    });
    let group = json!({
        "type": "object",
        "properties": {
            "kind": { "const": "group" },
            "of": { "type": "array", "items": { "$ref": "#/$defs/Shape" } },
        },
        "required": ["kind", "of"],
    });
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
