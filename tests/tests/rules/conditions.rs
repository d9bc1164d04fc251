//! `when`: what is required, what must be absent, and what is checked under a condition.

use std::collections::BTreeMap;

use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::told;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum FieldKind {
    Choice,
    Number,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Field {
    kind: FieldKind,
    #[serde(default)]
    #[cot(when = self.kind == FieldKind::Choice, required)]
    #[cot(when = self.kind == FieldKind::Number, absent, because = "a number has no options")]
    options: Vec<String>,
    #[cot(when = matches!(self.kind, FieldKind::Number), required, because = "numbers are measured")]
    #[cot(when = self.kind == FieldKind::Choice, absent)]
    unit: Option<String>,
    #[serde(default)]
    #[cot(when = self.unit.is_some() && self.options.len() < 3, check = known)]
    names: BTreeMap<String, String>,
}

fn known(names: &BTreeMap<String, String>) -> Result<(), Issues> {
    if names.contains_key("en") { Ok(()) } else { Err(Issues::at("$", "must have `en`")) }
}

#[test]
fn conditions_say_what_is_missing_and_what_is_too_much() {
    assert_eq!(
        told!(Field, { "kind": "choice", "unit": "kg", "names": { "en": "" } }),
        [
            "$.options: must not be empty when `kind == FieldKind::Choice`",
            "$.unit: must be absent when `kind == FieldKind::Choice`",
        ]
    );
    assert_eq!(
        told!(Field, { "kind": "number", "options": ["a"] }),
        [
            "$.options: must be empty, because a number has no options",
            "$.unit: is required, because numbers are measured",
        ]
    );
    assert_eq!(
        told!(Field, { "kind": "number", "unit": "kg" }),
        ["$.names: must have `en` (when `unit.is_some() && options.len() < 3`)"]
    );
    assert_eq!(told!(Field, { "kind": "choice", "options": ["a"] }), [""; 0]);
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "do")]
enum Order {
    Buy {
        count: u32,
        /// In a variant, `self` stands for its fields.
        #[cot(when = self.count > 10 && matches!(self.kind.as_deref(), Some("a" | "b")), required)]
        reason: Option<String>,
        kind: Option<String>,
    },
    Wait,
}

#[test]
fn conditions_see_the_fields_of_their_variant() {
    assert_eq!(
        told!(Order, { "do": "Buy", "count": 11, "kind": "a" }),
        [
            "$.reason: is required when `count > 10 && matches!(kind.as_deref(), Some(\"a\" | \"b\"))`"
        ]
    );
    assert_eq!(told!(Order, { "do": "Buy", "count": 10, "kind": "a" }), [""; 0]);
    assert_eq!(told!(Order, { "do": "Wait" }), [""; 0]);
}
