use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "camelCase")]
struct Order {
    #[cot(alias = "orderName", alias = "title", alias = "title")]
    order_name: String,
    #[serde(alias = "words")]
    #[cot(alias = "words", alias = "orderName", alias = "title")]
    text: String,
    #[cot(alias = "goTo", alias = "text")]
    target: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Answer {
    #[cot(alias = "Yes", alias = "No", alias = "intent")]
    Yes(String),
    No,
}

fn main() {}
