//! Tools and rounds in requests: their messages, their segments, and the form for engines without tool calls.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use std::sync::Arc;

use cot_model::{
    Image, Media, MessagePart, ModelReply, ModelRequest, PartName, ReplySchema, Role, Stability,
    Tool, ToolCall, ToolResult, ToolRound,
};
use serde_json::{Value, json};

fn schema(name: &str, json: Value) -> Arc<ReplySchema> {
    Arc::new(ReplySchema { name: name.to_owned(), json })
}

fn tool(name: &str, json: Value) -> Tool {
    Tool::new(format!("Does {name}"), schema(name, json))
}

fn city() -> Value {
    json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] })
}

fn rounds() -> [ToolRound; 2] {
    let call = |name: &str, city: &str| ToolCall::new(name, json!({ "city": city }));
    [
        ToolRound::new(
            "Let me look.",
            vec![
                (call("weather", "Paris").with_id("a"), ToolResult::ok(r#"{"rains":true}"#)),
                (call("weather", "Rome"), ToolResult::error("no such city")),
            ],
        ),
        ToolRound::new("", vec![(call("time", "Paris"), ToolResult::ok("12"))]),
    ]
}

fn request() -> ModelRequest {
    let request = ModelRequest::new("Is it raining?")
        .with_system("Be brief.")
        .append_format("\n\nAnswer in JSON.");
    let mut request =
        request.with_tools([tool("weather", city()), tool("time", city())]).with_rounds(rounds());
    request.schema = Some(schema("answer", json!({ "type": "string" })));
    request
}

fn texts(request: &ModelRequest) -> Vec<(Role, String)> {
    let part = |part: &MessagePart<'_>| match part {
        MessagePart::Text { text, .. } => (*text).to_owned(),
        MessagePart::Image { .. } => "<image>".to_owned(),
        MessagePart::ToolCall { call, number } => format!("<{number} {}{call}>", call.id),
        MessagePart::ToolResult { call, number, result } => {
            format!("<{number} {}: {result}>", call.name)
        }
        other => panic!("{other:?}"),
    };
    let messages = request.messages(false).into_iter();
    messages.map(|message| (message.role, message.parts.iter().map(part).collect())).collect()
}

#[test]
fn rounds_follow_the_prompt_with_their_results() {
    let text = |text: &str| text.to_owned();
    let expected = [
        (Role::System, text("Be brief.")),
        (Role::User, text("Is it raining?")),
        (
            Role::Assistant,
            text(r#"Let me look.<1 aweather({"city":"Paris"})><2 weather({"city":"Rome"})>"#),
        ),
        (Role::Tool, text(r#"<1 weather: {"rains":true}><2 weather: error: no such city>"#)),
        (Role::Assistant, text(r#"<3 time({"city":"Paris"})>"#)),
        (Role::Tool, text("<3 time: 12>")),
    ];
    assert_eq!(texts(&request()), expected);
    let nothing = ModelRequest::new("a").with_rounds([ToolRound::new("", Vec::new())]);
    assert_eq!(texts(&nothing), [(Role::User, text("a"))]);
}

#[test]
fn segments_show_tools_and_rounds_in_the_order_of_servers() {
    let segments = request().segments();
    let parts: Vec<_> = segments.iter().map(|segment| (segment.part, segment.stability)).collect();
    let expected = [
        (PartName::Tools, Stability::Fixed),
        (PartName::System, Stability::Fixed),
        (PartName::Prompt, Stability::Volatile),
        (PartName::Output, Stability::Fixed),
        (PartName::Rounds, Stability::Growing),
    ];
    assert_eq!(parts, expected);
    assert_eq!(segments.prompt(), request().prompt());
    assert_eq!(segments.system(), "Be brief.");
    let tools: Vec<&str> = segments.iter().next().unwrap().text.lines().collect();
    assert_eq!(tools.len(), 2);
    let first: Value = serde_json::from_str(tools[0]).unwrap();
    assert_eq!(
        first,
        json!({ "name": "weather", "description": "Does weather", "parameters": city() })
    );
    let shown = &segments.iter().last().unwrap().text;
    let expected = "Let me look.\nweather({\"city\":\"Paris\"})\n= {\"rains\":true}\nweather({\"city\":\"Rome\"})\n\
                    = error: no such city\ntime({\"city\":\"Paris\"})\n= 12\n";
    assert_eq!(shown, expected);
    // The rounds of the next request begin with those of this one.
    let mut fewer = request();
    fewer.rounds.pop();
    assert!(shown.starts_with(&fewer.segments().iter().last().unwrap().text));
}

#[test]
fn requests_and_replies_with_calls_survive_serialization_and_others_are_unchanged() {
    let json = serde_json::to_value(request()).unwrap();
    assert_eq!(serde_json::from_value::<ModelRequest>(json).unwrap(), request());
    let plain = serde_json::to_string(&ModelRequest::new("a")).unwrap();
    assert!(
        !plain.contains("tools") && !plain.contains("rounds") && !plain.contains("follow"),
        "{plain}"
    );
    let reply = ModelReply::calling([ToolCall::new("weather", "{").with_id("a")]);
    let json = serde_json::to_string(&reply).unwrap();
    assert!(
        json.contains(r#""tool_calls":[{"id":"a","name":"weather","arguments":"{"}]"#),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<ModelReply>(&json).unwrap(), reply);
    let old =
        r#"{"text":"hi","finish":"stop","usage":{"calls":1,"input_tokens":0,"output_tokens":0}}"#;
    assert_eq!(serde_json::from_str::<ModelReply>(old).unwrap(), ModelReply::new("hi"));
}

#[test]
fn tools_in_the_prompt_replace_tools_and_rounds() {
    let mut request =
        request().append_media(Media::Image(Image::from_url("https://example.org/a.png").unwrap()));
    request.turns = vec![cot_model::Turn::user("Hi.")];
    let plain = request.with_tools_in_prompt();
    assert!(plain.tools.is_empty() && plain.rounds.is_empty());
    assert_eq!(plain.media(), request.media());
    assert_eq!(plain.with_tools_in_prompt(), plain);
    let messages = texts(&plain);
    let roles: Vec<Role> = messages.iter().map(|(role, _)| *role).collect();
    let [system, user, assistant] = [Role::System, Role::User, Role::Assistant];
    assert_eq!(roles, [system, user, user, assistant, user, assistant, user]);
    let prompt = &messages[2].1;
    assert!(prompt.starts_with("Is it raining?<image>\n\n## Tools\n\n"), "{prompt}");
    assert!(prompt.contains(r#"{"tool": "<name>", "arguments": {…}}"#), "{prompt}");
    assert!(prompt.contains("\n- `time`: Does time\n  { \"city\""), "{prompt}");
    let said = "Let me look.\n\n[{\"tool\": \"weather\", \"arguments\": {\"city\":\"Paris\"}}, \
                {\"tool\": \"weather\", \"arguments\": {\"city\":\"Rome\"}}]";
    assert_eq!(messages[3].1, said);
    let results = "The result of `weather` (call 1):\n{\"rains\":true}\n\n\
                   The error of `weather` (call 2):\nno such city";
    assert_eq!(messages[4].1, results);
    assert_eq!(messages[5].1, r#"{"tool": "time", "arguments": {"city":"Paris"}}"#);
    assert_eq!(messages[6].1, "The result of `time`:\n12");
    let rounds = plain.segments().iter().last().cloned().unwrap();
    assert_eq!((rounds.part, rounds.stability), (PartName::Rounds, Stability::Growing));
    assert!(rounds.text.ends_with("user: The result of `time`:\n12\n"), "{}", rounds.text);

    let without = ModelRequest::new("a");
    assert_eq!(without.with_tools_in_prompt(), without);
    let mut schemaless = request.clone();
    schemaless.schema = None;
    assert_eq!(schemaless.with_tools_in_prompt().schema, None);
}

#[test]
fn arguments_that_are_not_json_are_shown_as_a_string() {
    for (arguments, expected) in [
        (" {\"a\": 1}\n", r#"{"tool": "t", "arguments": {"a": 1}}"#),
        ("{\"a\": ", r#"{"tool": "t", "arguments": "{\"a\": "}"#),
        ("", r#"{"tool": "t", "arguments": ""}"#),
    ] {
        let call = ToolCall::new("t", arguments).to_json();
        assert_eq!(call, expected);
        assert!(serde_json::from_str::<Value>(&call).is_ok());
    }
}

/// Returns the schema of the choice between a reply and the calls of tools.
fn choice(reply: Value, tools: impl IntoIterator<Item = Tool>) -> Value {
    let mut request = ModelRequest::new("").with_tools(tools);
    request.schema = Some(schema("answer", reply));
    request.with_tools_in_prompt().schema.unwrap().json.clone()
}

fn call(tool: &str, arguments: Value) -> Value {
    let properties = json!({ "tool": { "const": tool }, "arguments": arguments });
    json!({
        "type": "object",
        "properties": properties,
        "required": ["tool", "arguments"],
        "additionalProperties": false,
    })
}

#[test]
fn the_schema_is_a_choice_of_the_reply_and_the_calls() {
    let expected =
        json!({ "anyOf": [{ "type": "string" }, call("a", city()), call("b", json!(true))] });
    let tools = [tool("a", city()), tool("b", json!(true))];
    assert_eq!(choice(json!({ "$schema": "x", "type": "string" }), tools), expected);
}

#[test]
fn definitions_are_shared_if_equal_and_renamed_if_not() {
    let with = |item: Value| {
        let definitions = json!({ "Item": item, "List": { "items": { "$ref": "#/$defs/Item" } } });
        json!({ "properties": { "default": { "$ref": "#/$defs/List" } }, "$defs": definitions })
    };
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "number" }));
    let schema = choice(
        with(text.clone()),
        [tool("a", with(text.clone())), tool("b", with(number.clone()))],
    );
    let list = |item: &str| json!({ "items": { "$ref": format!("#/$defs/{item}") } });
    let expected = json!({
        "Item": text, "List": list("Item"), "b_Item": number, "b_List": list("b_Item"),
    });
    assert_eq!(schema["$defs"], expected);
    let shown =
        |list: &str| json!({ "properties": { "default": { "$ref": format!("#/$defs/{list}") } } });
    let expected = json!([shown("List"), call("a", shown("List")), call("b", shown("b_List"))]);
    assert_eq!(schema["anyOf"], expected);
}

#[test]
fn references_to_the_root_and_older_definitions_are_kept_right() {
    let tree = json!({ "type": "object", "properties": {
        "next": { "$ref": "#" },
        "kind": { "const": { "$ref": "#" } },
        "again": { "$ref": "#/properties/kind" },
        "other": { "$ref": "#/definitions/Other" },
        "far": { "$ref": "https://example.org/a#b" },
    }, "definitions": { "Other": { "items": { "$ref": "#" } } } });
    let schema = choice(json!({ "type": "null" }), [tool("tree", tree)]);
    assert_eq!(schema["anyOf"][1], call("tree", json!({ "$ref": "#/$defs/tree_root" })));
    let expected = json!({
        "Other": { "items": { "$ref": "#/$defs/tree_root" } },
        "tree_root": { "type": "object", "properties": {
            "next": { "$ref": "#/$defs/tree_root" },
            "kind": { "const": { "$ref": "#" } },
            "again": { "$ref": "#/$defs/tree_root/properties/kind" },
            "other": { "$ref": "#/$defs/Other" },
            "far": { "$ref": "https://example.org/a#b" },
        } },
    });
    assert_eq!(schema["$defs"], expected);
}
