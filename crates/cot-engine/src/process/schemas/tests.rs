//! Tests of reply schemas.

use serde_json::json;

use super::*;
use crate::process::scope::About;

#[test]
fn names_are_plain() {
    assert_eq!(schema_name("r#type"), "type");
    assert_eq!(schema_name("größe_2"), "gr__e_2");
}

fn keys(value: &Value) -> Vec<&String> {
    value.as_object().unwrap().keys().collect()
}

fn target(name: &'static str, inputs: Option<&'static OutputSchema>) -> ChoiceTarget {
    ChoiceTarget {
        about: Box::leak(Box::new(About { name, title: name, description: name })),
        inputs,
    }
}

fn plain(name: &'static str) -> ChoiceTarget {
    target(name, None)
}

fn schema_of<T: schemars::JsonSchema>() -> &'static OutputSchema {
    Box::leak(Box::new(OutputSchema::for_type::<T>()))
}

fn notation(targets: &[ChoiceTarget]) -> String {
    choice_notation(targets, &ChoiceTexts::new(targets))
}

mod chapter {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    pub(crate) struct Item {
        title: String,
        next: Option<Box<Self>>,
    }
}

mod note {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    pub(crate) struct Note {
        /// Its number.
        order: String,
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
    assert_eq!(keys(&choice["properties"]), ["goTo", "intent", "stepAfter"]);
}

#[test]
fn inputs_are_a_required_member_of_the_choice() {
    let write = target("write", Some(schema_of::<chapter::Item>()));
    let only = reply_schema(&[write], None).unwrap();
    assert_eq!(keys(&only["properties"]), ["goTo", "inputs", "intent", "stepAfter"]);
    assert_eq!(only["required"], json!(["goTo", "inputs", "intent", "stepAfter"]));
    assert_eq!(only["properties"]["inputs"]["$ref"], "#/$defs/Item");
    assert!(only["$defs"]["Item"].is_object());

    let both = reply_schema(&[write, plain("done")], None).unwrap();
    assert_eq!(keys(&both), ["$defs", "anyOf"]);
    assert_eq!(both["anyOf"][0]["properties"]["goTo"]["enum"], json!(["done"]));
    assert_eq!(both["anyOf"][1]["properties"]["goTo"]["enum"], json!(["write"]));
    assert_eq!(both["anyOf"].as_array().unwrap().len(), 2);
}

#[test]
fn types_of_one_name_do_not_meet() {
    let (output, inputs) = (schema_of::<order::Item>(), schema_of::<chapter::Item>());
    let targets = [target("write", Some(inputs)), target("rewrite", Some(inputs))];
    let schema = reply_schema(&targets, Some(output)).unwrap();
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

#[test]
fn a_choice_is_one_type() {
    assert_eq!(
        notation(&[plain("a"), plain("b")]),
        r#"{
  "goTo": string, // The name of the task.
  "intent": string, // What you mean to achieve, in a sentence.
  "stepAfter": string // What you mean to do after that task.
}"#
    );
}

#[test]
fn targets_share_the_type_of_their_inputs() {
    let inputs = Some(schema_of::<note::Note>());
    let both = [target("refund", inputs), target("send", inputs)];
    let text = notation(&both);
    assert!(
        text.contains("\n  \"inputs\": { // For \"refund\". For \"send\".\n    \"order\""),
        "{text}"
    );
    let text = notation(&[both[0], both[1], plain("done")]);
    let inputs = r#"
  "inputs": { // For "refund". For "send". Otherwise null.
    "order": string // Its number.
  } or null,
"#;
    assert!(text.contains(inputs), "{text}");
}

#[test]
fn each_type_of_inputs_says_for_what_it_is() {
    let note = target("refund", Some(schema_of::<note::Note>()));
    let chapter = target("write", Some(schema_of::<chapter::Item>()));
    let parts = target("list", Some(schema_of::<order::Item>()));
    let text = notation(&[note, chapter, parts, plain("done")]);
    let inputs = r#"
  // Item: For "write". Item_list: For "list". Otherwise null.
  "inputs": { // For "refund".
    "order": string // Its number.
  } or Item or Item_list or null,
"#;
    assert!(text.contains(inputs), "{text}");
    assert!(text.starts_with("Item = { \"title\": string, \"next\": Item or null }\n"), "{text}");
}
