//! Tests of reply schemas.

use super::*;

#[test]
fn names_are_plain() {
    assert_eq!(schema_name("r#type"), "type");
    assert_eq!(schema_name("größe_2"), "gr__e_2");
}

fn keys(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

fn plain(name: &str) -> TransitionTarget<'_> {
    TransitionTarget { name, inputs: None }
}

mod chapter {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    pub(crate) struct Item {
        title: String,
        next: Option<Box<Self>>,
    }
}

mod order {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    pub(crate) struct Item {
        number: u32,
        parts: Vec<Self>,
    }
}

#[test]
fn nothing_to_reply_has_no_schema() {
    assert_eq!(reply_schema(&[], None), None);
    let choice = reply_schema(&[plain("a"), plain("b")], None).unwrap();
    assert_eq!(choice["properties"]["goTo"]["enum"], json!(["a", "b"]));
    assert_eq!(keys(&choice["properties"]), ["intent", "goTo", "stepAfter"]);
}

#[test]
fn inputs_are_a_required_member_of_the_choice() {
    let inputs = OutputSchema::for_type::<chapter::Item>();
    let write = TransitionTarget { name: "write", inputs: Some(&inputs) };
    let only = reply_schema(&[write], None).unwrap();
    assert_eq!(keys(&only["properties"]), ["intent", "goTo", "stepAfter", "inputs"]);
    assert_eq!(only["required"], json!(["intent", "goTo", "stepAfter", "inputs"]));
    assert_eq!(only["properties"]["inputs"]["$ref"], "#/$defs/Item");
    assert!(only["$defs"]["Item"].is_object());

    let write = TransitionTarget { name: "write", inputs: Some(&inputs) };
    let both = reply_schema(&[write, plain("done")], None).unwrap();
    assert_eq!(keys(&both), ["$defs", "anyOf"]);
    assert_eq!(both["anyOf"][0]["properties"]["goTo"]["enum"], json!(["done"]));
    assert_eq!(both["anyOf"][1]["properties"]["goTo"]["enum"], json!(["write"]));
    assert_eq!(both["anyOf"].as_array().unwrap().len(), 2);
}

#[test]
fn types_of_one_name_do_not_meet() {
    let (output, inputs) =
        (OutputSchema::for_type::<order::Item>(), OutputSchema::for_type::<chapter::Item>());
    let write = |name| TransitionTarget { name, inputs: Some(&inputs) };
    let targets = [write("write"), write("rewrite")];
    let schema = reply_schema(&targets, Some(&output)).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let choice = |go_to: &str, inputs: Value| json!({ "intent": "", "goTo": go_to, "stepAfter": "", "inputs": inputs });
    let chapter = json!({ "title": "a", "next": { "title": "b" } });
    let order = json!({ "number": 1, "parts": [{ "number": 2, "parts": [] }] });
    assert!(validator.is_valid(&order));
    for go_to in ["write", "rewrite"] {
        assert!(validator.is_valid(&choice(go_to, chapter.clone())), "{schema:#}");
        assert!(!validator.is_valid(&choice(go_to, order.clone())));
    }
    assert!(!validator.is_valid(&chapter));
    assert_eq!(keys(&schema["$defs"]), ["Item", "Item_write"]);
}
