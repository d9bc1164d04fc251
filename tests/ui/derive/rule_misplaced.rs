use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(when = true, alias = "other")]
enum Answer {
    #[cot(allow_loss, check = ok, alias = "text")]
    Text(#[cot(alias = "t", check = ok)] String),
    #[serde(skip)]
    #[cot(alias = "gone")]
    Gone,
    Both(#[cot(allow_loss)] String, u8),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[serde(skip)]
    #[cot(check = ok)]
    note: String,
    #[serde(flatten)]
    #[cot(alias = "more")]
    rest: Rest,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Rest {
    left: u8,
}

fn ok(_: &String) -> Result<(), Issues> {
    Ok(())
}

fn main() {}
