use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[cot(check = "ok", check, check = 3)]
    name: String,
    #[cot(alias(text), alias = title, because = 3)]
    text: String,
    #[cot(allow_loss = true, allow_loss(title), when = , required)]
    items: Vec<String>,
    #[cot(check = ok check = ok)]
    title: String,
}

fn ok(_: &String) -> Result<(), Issues> {
    Ok(())
}

fn main() {}
