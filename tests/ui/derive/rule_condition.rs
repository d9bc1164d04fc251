use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[cot(required)]
    name: Option<String>,
    #[cot(absent)]
    text: Option<String>,
    #[cot(when = self.count > 3)]
    items: Vec<String>,
    #[cot(when = self.count > 3, required, absent)]
    tags: Vec<String>,
    #[cot(when = self.name.is_some(), required)]
    count: u32,
    #[cot(when = self.name.is_some(), absent)]
    rest: Rest,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Rest {
    left: u8,
}

fn main() {}
