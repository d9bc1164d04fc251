//! Losses that a type allows, and other attributes of types.

use cot_schema::{
    Issues,
    internal::{FieldRule, PathSegment, TypeRules, VariantRule},
};
use serde_json::{Value, json};

use super::compiled;
use crate::{
    coerce::shape::CoercionGraph,
    repair::{class::RepairClass, repairs::Repairs},
};

fn field(name: &'static str, allow_loss: bool, aliases: &'static [&'static str]) -> FieldRule {
    FieldRule { name, aliases, allow_loss, notes: &[] }
}

fn shape() -> CoercionGraph<'static> {
    let fields = vec![
        field("scores", true, &["marks"]),
        field("verdict", true, &[]),
        field("count", true, &[]),
        field("label", true, &[]),
        field("strict", false, &["exact_scores"]),
    ];
    let note = TypeRules { name: "Note".to_owned(), fields, variants: vec![], notes: vec![] };
    let aliases = &["ok", "lgtm"];
    let variants = vec![VariantRule { name: "Approved", aliases }];
    let verdict = TypeRules { name: "Verdict".to_owned(), fields: vec![], variants, notes: vec![] };
    compiled(&schema(), &[note, verdict], Some("Note"))
}

fn schema() -> Value {
    let numbers = json!({ "type": "array", "items": { "type": "integer" } });
    json!({
        "type": "object",
        "properties": {
            "scores": numbers,
            "strict": numbers,
            "verdict": { "$ref": "#/$defs/Verdict" },
            "count": { "type": "integer" },
            "label": { "type": "string" },
            "hard_verdict": { "$ref": "#/$defs/Verdict" },
        },
        "$defs": { "Verdict": { "type": "string", "enum": ["Approved", "Rejected"] } },
    })
}

fn coerced(value: Value) -> (Value, Repairs, Issues) {
    let (mut repairs, mut doubts) = (Repairs::default(), Issues::new());
    let value = shape().coerce(value, &mut repairs, &mut doubts);
    (value, repairs, doubts)
}

#[test]
fn losses_are_made_where_they_are_allowed() {
    for (given, wanted) in [
        (json!({ "scores": [1, "bad", "3"] }), json!({ "scores": [1, 3] })),
        (json!({ "verdict": "APPROVED: because it works" }), json!({ "verdict": "Approved" })),
        (json!({ "count": 2.7 }), json!({ "count": 3 })),
        (json!({ "count": "5 km" }), json!({ "count": 5 })),
        (json!({ "count": "$1,200" }), json!({ "count": 1200 })),
        (json!({ "count": [1, 2] }), json!({ "count": 1 })),
        (json!({ "label": ["a", "b"] }), json!({ "label": "a" })),
    ] {
        let (value, repairs, _) = coerced(given.clone());
        assert_eq!(value, wanted, "{given}");
        let losses = repairs.iter().filter(|repair| repair.class() == RepairClass::Loss);
        let losses: Vec<_> = losses.map(|repair| shape().allows_loss(repair.path())).collect();
        assert_eq!(losses, [true], "{given}");
    }
}

#[test]
fn losses_are_not_made_elsewhere() {
    for given in [
        json!({ "strict": [1, "bad"] }),
        json!({ "hard_verdict": "Approved: because it works" }),
        json!({ "count": "5k" }),
        json!({ "count": "5 or 6" }),
        json!({ "verdict": "not approved: because it fails" }),
    ] {
        let (value, repairs, _) = coerced(given.clone());
        assert_eq!(value, given);
        assert!(repairs.is_empty());
    }
    let path = |steps: &[&str]| {
        steps.iter().map(|key| PathSegment::Key((*key).to_owned())).collect::<Vec<_>>()
    };
    assert!(shape().allows_loss(&path(&["scores", "x"])));
    assert!(!shape().allows_loss(&path(&["strict"])));
    assert!(!shape().allows_loss(&[]));
}

#[test]
fn aliases_name_fields_and_variants() {
    let given = json!({ "marks": ["1"], "exactScores": [2], "hard_verdict": "LGTM" });
    let (value, repairs, doubts) = coerced(given);
    assert_eq!(value, json!({ "scores": [1], "strict": [2], "hard_verdict": "Approved" }));
    assert!(doubts.is_empty() && !repairs.is_empty());
}

#[test]
fn aliases_name_tagged_variants() {
    let schema = json!({
        "$ref": "#/$defs/Shape",
        "$defs": { "Shape": { "oneOf": [
            {
                "type": "object",
                "properties": { "Circle": { "type": "object", "properties": { "r": { "type": "integer" } }, "required": ["r"] } },
                "required": ["Circle"],
                "additionalProperties": false,
            },
            {
                "type": "object",
                "properties": { "kind": { "const": "Square" }, "side": { "type": "integer" } },
                "required": ["kind", "side"],
            },
        ] } },
    });
    let variants = vec![
        VariantRule { name: "Circle", aliases: &["disc"] },
        VariantRule { name: "Square", aliases: &["box"] },
    ];
    let fields = vec![field("r", false, &["radius"])];
    let rules = TypeRules { name: "Shape".to_owned(), fields, variants, notes: vec![] };
    let shape = compiled(&schema, &[rules], None);
    for (given, wanted) in [
        (json!({ "disc": { "radius": "1" } }), json!({ "Circle": { "r": 1 } })),
        (json!({ "kind": "Box", "side": 1 }), json!({ "kind": "Square", "side": 1 })),
        (json!({ "type": "disc", "radius": 1 }), json!({ "Circle": { "r": 1 } })),
    ] {
        let (mut repairs, mut doubts) = (Repairs::default(), Issues::new());
        assert_eq!(shape.coerce(given, &mut repairs, &mut doubts), wanted);
        assert!(doubts.is_empty());
    }
}
