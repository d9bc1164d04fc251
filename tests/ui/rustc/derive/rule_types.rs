use cot_core::{CotOutput, Issues};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(check = whole)]
struct Order {
    #[cot(check = count)]
    name: String,
    #[cot(check = nothing)]
    text: String,
    #[cot(when = self.coutn > 3, required)]
    items: Vec<String>,
    #[cot(when = self.count, required)]
    tags: Vec<String>,
    count: u32,
    #[cot(check = missing)]
    rest: Option<u8>,
    #[cot(check = given)]
    more: Option<u8>,
}

fn whole(_: &Order) -> Result<(), String> {
    Ok(())
}

fn count(_: &u32) -> Result<(), Issues> {
    Ok(())
}

fn given(_: &Option<u8>) -> Result<(), Issues> {
    Ok(())
}

fn nothing(_: &str) {}

fn main() {}
