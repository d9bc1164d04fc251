//! What the schema says of rules, in words.

use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::schema;

/// Something to sell.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(check = fair, because = "the price has to pay for the weight")]
struct Offer {
    /// In cents.
    #[cot(check = even, because = "there are no single cents")]
    price: u32,
    #[cot(when = self.price > 100, required)]
    #[cot(when = self.price == 0, absent, because = "gifts need no reason")]
    reason: Option<String>,
    #[serde(default)]
    #[cot(when = self.price > 100, required)]
    photos: Vec<String>,
    #[cot(because = "the post asks for it")]
    #[schemars(range(min = 1))]
    weight: u32,
    /// It has none of its own.
    plain: Option<u8>,
}

fn even(number: &u32) -> Result<(), Issues> {
    if number.is_multiple_of(2) { Ok(()) } else { Err(Issues::at("$", "must be even")) }
}

fn fair(_: &Offer) -> Result<(), Issues> {
    Ok(())
}

#[test]
fn notes_follow_the_descriptions() {
    let notes = ["price", "reason", "photos", "weight", "plain"]
        .map(|field| schema::<Offer>(&format!("/properties/{field}/description")));
    assert_eq!(
        json!(notes),
        json!([
            "In cents. There are no single cents.",
            "Required when `price > 100`. Sometimes absent, because gifts need no reason.",
            "Not empty when `price > 100`.",
            "The post asks for it.",
            "It has none of its own.",
        ])
    );
    let description = "Something to sell. The price has to pay for the weight.";
    assert_eq!(schema::<Offer>("/description"), description);
    let embedded = &Offer::output_schema().definitions()["Offer"];
    assert_eq!(embedded["properties"]["weight"]["description"], "The post asks for it.");
    assert_eq!(embedded["description"], description);
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Move {
    Walk {
        #[cot(check = even, because = "there are two feet")]
        paces: u32,
    },
    Stay,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(tag = "kind")]
enum Tagged {
    Walk {
        #[cot(check = even, because = "there are two feet")]
        paces: u32,
    },
}

fn descriptions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("description").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| descriptions(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(item, found)),
        _ => {}
    }
}

#[test]
fn fields_of_variants_have_their_notes() {
    for schema in [Move::output_schema(), Tagged::output_schema()] {
        let mut found = Vec::new();
        descriptions(schema.json(), &mut found);
        assert_eq!(found, ["There are two feet."], "{}", schema.text());
    }
}
