use serde_json::json;

use super::*;

#[test]
fn keeps_every_openai_definition() {
    for parameters in [
        json!({ "type": "object", "properties": {}, "required": [] }),
        json!({ "type": "object", "properties": {} }),
        json!({ "properties": { "a": {} } , "type": "object" }),
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "string", "description": "x" },
                "type": { "enum": ["a", 1] },
                "o": { "type": "object", "properties": { "p": {} }, "required": ["p"] },
            },
            "required": ["a", "type"],
            "additionalProperties": false,
            "$defs": { "d": { "type": ["null", "integer"] } },
        }),
        json!({ "type": "object", "properties": { "b": {}, "a": {} }, "required": ["a", "b"] }),
        json!({ "type": ["object", "null"], "properties": { "a": {} } }),
    ] {
        let function = json!({ "name": "f", "parameters": parameters, "strict": true });
        let openai = json!({ "type": "function", "function": function });
        let tool = Tool::from_openai(&openai).unwrap();
        assert_eq!(tool.to_openai(), openai);
        let text = tool.to_block().to_string();
        let read = Tool::from_block(&parse(&text).unwrap().blocks[0]).unwrap();
        assert_eq!(read, tool, "{text}");
    }
    let flat = json!({ "type": "function", "name": "f", "description": "d" });
    let tool = Tool::from_openai(&flat).unwrap();
    assert_eq!((tool.parameters, tool.description.as_deref()), (None, Some("d")));
    assert_eq!(Tool::from_openai(&json!({ "type": "web_search" })), Err(ToolError::NoTool));
    assert_eq!(Tool::from_openai(&json!({ "type": "function" })), Err(ToolError::NoName));
    assert_eq!(Tool::from_openai(&json!({ "name": "" })), Err(ToolError::NoName));
    let nameless = parse("tool { name ↦ \"\" }").unwrap().blocks.remove(0);
    assert_eq!(Tool::from_block(&nameless), Err(ToolError::NoName));
}

#[test]
fn reads_the_definition_of_the_formats_own_page() {
    let trace = parse(WEATHER).unwrap();
    let tool = Tool::from_block(&trace.blocks[1]).unwrap();
    assert_eq!(
        tool.parameters.unwrap(),
        json!({
            "type": "object",
            "properties": {
                "zip_code": { "type": "string" },
                "unit": { "enum": ["metric", "imperial"] },
            },
            "required": ["zip_code"],
        })
    );
    assert_eq!(Tool::from_block(&trace.blocks[0]), Err(ToolError::NoTool));
}

#[test]
fn takes_null_for_the_name_of_a_type() {
    let trace = parse("tool { name ↦ t • params ↦ { a ↦ { type ↦ [ string • null ] } } }").unwrap();
    let parameters = Tool::from_block(&trace.blocks[0]).unwrap().parameters.unwrap();
    assert_eq!(parameters["properties"]["a"], json!({ "type": ["string", "null"] }));
}
