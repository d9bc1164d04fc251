//! Schemas and validation of outputs, through the public surface.

use std::time::Duration;

use cot_core::{CotOutput, Event, MachinePoll, OutputSchema, model::ModelReply};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A field of a data source.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(deny_unknown_fields)]
struct FieldDef {
    /// Name in camelCase.
    #[schemars(regex(pattern = r"^[a-z][A-Za-z0-9]*$"), length(max = 8))]
    name: String,
    #[schemars(length(min = 1))]
    title: Option<String>,
    kind: FieldKind,
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    weight: u8,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FieldKind {
    Text,
    Number,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// Waits.
    Wait,
    /// Looks for a text.
    Search {
        text: String,
    },
    Draw(Shape),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(untagged)]
enum Amount {
    Exact(u32),
    Between { low: u32, high: u32 },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Tree {
    value: i64,
    children: Vec<Tree>,
    extra: Option<Box<Tree>>,
}

fn issues<T: CotOutput>(value: Value) -> Vec<String> {
    let issues = T::output_schema().validate(&value).err().unwrap_or_default();
    issues.iter().map(ToString::to_string).collect()
}

#[test]
fn schema_keeps_order_and_constraints() {
    let schema = FieldDef::output_schema();
    assert_eq!((schema.name(), schema.compile_error()), ("FieldDef", None));
    assert_eq!(
        schema.json().to_string(),
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "name": {
                    "type": "string",
                    "description": "Name in camelCase.",
                    "maxLength": 8,
                    "pattern": "^[a-z][A-Za-z0-9]*$",
                },
                "title": { "type": ["string", "null"], "minLength": 1 },
                "kind": { "$ref": "#/$defs/FieldKind" },
                "weight": {
                    "type": "integer",
                    "format": "uint8",
                    "minimum": 1,
                    "maximum": 9,
                    "default": 0,
                },
            },
            "required": ["name", "kind"],
            "description": "A field of a data source.",
            "title": "FieldDef",
            "$defs": { "FieldKind": { "type": "string", "enum": ["text", "number"] } },
        })
        .to_string()
    );
    assert_eq!(schema.text(), schema.json().to_string());
}

#[test]
fn schema_embeds_into_a_larger_one() {
    let schema = Tree::output_schema();
    assert_eq!(schema.json()["properties"]["children"]["items"], json!({ "$ref": "#" }));
    assert_eq!(schema.reference(), &json!({ "$ref": "#/$defs/Tree" }));
    let tree = &schema.definitions()["Tree"];
    assert_eq!(tree["properties"]["children"]["items"], json!({ "$ref": "#/$defs/Tree" }));
    assert_eq!(OutputSchema::for_type::<Vec<Tree>>().name(), "Array_of_Tree");
}

#[test]
fn all_issues_are_reported_at_once() {
    assert_eq!(
        issues::<FieldDef>(json!({
            "name": "Not A Name",
            "title": 7,
            "kind": "blob",
            "weight": 10,
            "wieght": 1,
        })),
        [
            "$.name: must have at most 8 characters, has 10",
            "$.name: must match the pattern `^[a-z][A-Za-z0-9]*$`",
            "$.title: expected string or null, got number",
            "$.kind: must be one of \"text\", \"number\"",
            "$.weight: must be at most 9",
            "$.wieght: unknown key; did you mean `weight`?",
        ]
    );
    assert_eq!(
        issues::<FieldDef>(json!({ "weight": 1.5, "a b": 1 })),
        [
            "$: `name` is required",
            "$: `kind` is required",
            "$.weight: expected integer, got a number with a fraction",
            "$[\"a b\"]: unknown key; the known ones are `name`, `title`, `kind`, `weight`",
        ]
    );
    let rejected = FieldDef::output_schema().validate(&json!([])).unwrap_err();
    assert_eq!(rejected.to_string(), "$: expected object, got array");
    assert_eq!(rejected.iter().next().unwrap().value, Some(json!([])));
}

#[test]
fn enums_say_what_they_allow() {
    let cases = [
        (
            json!("rest"),
            "$.value: must be \"wait\", or an object with exactly one of the keys `search`, `draw`",
        ),
        (json!({ "search": {} }), "$.value.search: `text` is required"),
        (
            json!({ "draw": { "kind": "line" } }),
            "$.value.draw.kind: must be one of \"circle\", \"square\"",
        ),
        (
            json!({ "draw": { "radius": 1 } }),
            "$.value.draw: `kind` is required, and must be one of \"circle\", \"square\"",
        ),
        (json!({ "draw": { "kind": "circle" } }), "$.value.draw: `radius` is required"),
        (json!({ "draw": 3 }), "$.value.draw: expected object, got number"),
    ];
    for (value, issue) in cases {
        assert_eq!(issues::<Action>(json!({ "value": value })), [issue]);
    }
}

#[test]
fn untagged_enums_name_the_form_that_is_nearest() {
    assert_eq!(
        issues::<Amount>(json!({ "value": "many" })),
        ["$.value: expected integer or object, got string"]
    );
    assert_eq!(issues::<Amount>(json!({ "value": { "low": 1 } })), ["$.value: `high` is required"]);
    assert_eq!(issues::<Amount>(json!({ "value": -1 })), ["$.value: must be at least 0"]);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
enum Color {
    DarkRed,
    Green,
}

cot_core::cot_process! {
    process Painter {
        state: Vec<Color>,
        task choose -> Color { process_output: paint, next: done }
        task done { end }
    }
}

fn paint(color: &Color, wall: &mut Vec<Color>) {
    wall.push(color.clone());
}

#[test]
fn what_is_no_object_is_answered_as_a_member_of_one() {
    let schema = Color::output_schema().json();
    assert_eq!(schema["required"], json!(["value"]));
    assert_eq!(schema["$defs"]["Color"]["enum"], json!(["dark_red", "green"]));
    let mut machine = Painter::machine();
    machine.start(Vec::new()).unwrap();
    for text in [r#"{ "value": "blue" }"#, r#"{ "value": "dark_red" }"#] {
        let id = machine.poll().directives().first().expect("no call").id;
        let (reply, elapsed) = (ModelReply::new(text), Duration::ZERO);
        machine.handle(Event::Replied { id, reply, elapsed });
    }
    assert!(matches!(machine.outcome(), None | Some(PainterOutcome::Done)));
    assert!(matches!(machine.poll(), MachinePoll::Finished(PainterOutcome::Done)));
    assert_eq!(machine.state(), Some(&vec![Color::DarkRed]));
    assert_eq!(machine.usage().calls, 2);
}

#[test]
fn recursion_is_followed_to_the_place() {
    let leaf = json!({ "value": 1, "children": [], "extra": null });
    let wrong = json!({ "value": "x", "children": [] });
    let tree = json!({ "value": 1, "children": [leaf, wrong], "extra": wrong });
    assert_eq!(
        issues::<Tree>(tree),
        [
            "$.children[1].value: expected integer, got string",
            "$.extra.value: expected integer, got string",
        ]
    );
}

#[test]
fn issues_are_bounded() {
    let children = vec![json!({ "value": "x".repeat(1000), "children": [] }); 50];
    let all =
        Tree::output_schema().validate(&json!({ "value": 1, "children": children })).unwrap_err();
    assert_eq!(all.len(), 21);
    assert_eq!(all.iter().last().unwrap().to_string(), "$: 30 more problems");
    assert!(serde_json::to_string(&all).unwrap().len() < 10_000);
}

#[test]
fn floods_are_refused_without_details() {
    let children = vec![json!({ "value": 1, "children": [] }); 300_000];
    let flood = json!({ "value": "x", "children": children });
    assert_eq!(
        issues::<Tree>(flood),
        ["$: does not fit the schema, and is too large to say where"]
    );
}

#[test]
fn an_invalid_schema_is_a_problem_and_no_panic() {
    #[derive(JsonSchema)]
    struct Odd {
        #[schemars(extend("pattern" = "("))]
        _text: String,
    }
    let schema = OutputSchema::for_type::<Odd>();
    let problem = "\"(\" is not a \"regex\" at `/properties/_text/pattern`";
    assert_eq!(schema.compile_error(), Some(problem));
    let refused = schema.validate(&json!({ "_text": "a" })).unwrap_err();
    assert_eq!(refused.to_string(), format!("$: the schema is invalid: {problem}"));
}
