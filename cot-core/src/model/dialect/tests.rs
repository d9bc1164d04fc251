use serde_json::json;

use super::*;

#[test]
fn smoke() {
    let schema = json!({
        "$defs": {
            "Kind": { "oneOf": [{ "type": "string", "const": "a", "description": "First" }, { "type": "string", "const": "b" }] },
            "Node": { "type": "object", "properties": { "kids": { "type": "array", "items": { "$ref": "#/$defs/Node" } } }, "required": ["kids"] },
        },
        "anyOf": [
            { "type": "object", "properties": { "intent": { "type": "string" }, "goTo": { "type": "string", "enum": ["x"] } }, "required": ["intent", "goTo"], "additionalProperties": false },
            { "type": "object", "properties": { "intent": { "type": "string" }, "goTo": { "type": "string", "enum": ["y"] }, "inputs": { "$ref": "#/$defs/Node" } }, "required": ["intent", "goTo"], "additionalProperties": false },
            { "type": "object", "title": "Out", "properties": {
                "kind": { "$ref": "#/$defs/Kind", "description": "Which", "default": "a" },
                "name": { "type": ["string", "null"], "maxLength": 40, "description": "Name in camelCase" },
                "map": { "type": "object", "additionalProperties": { "type": "integer", "format": "uint32", "minimum": 0 } },
                "pair": { "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }], "minItems": 2, "maxItems": 2 },
            }, "required": ["map", "pair"] },
        ],
    });
    for dialect in [
        Dialect::OpenAiStrict,
        Dialect::Anthropic,
        Dialect::Gemini,
        Dialect::LlamaCpp,
        Dialect::Vllm,
    ] {
        match dialect.rewrite(&schema) {
            Ok(value) => eprintln!("{dialect:?} {value:#}"),
            Err(problems) => eprintln!("{dialect:?} {problems:#?}"),
        }
    }
    panic!();
}
