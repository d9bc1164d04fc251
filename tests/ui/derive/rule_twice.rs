use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[cot(allow_loss, allow_loss)]
    name: String,
    #[cot(partial)]
    #[cot(partial)]
    rest: Option<Rest>,
    #[cot(when = true, when = false, required, because = "a", because = "b")]
    text: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Rest {
    left: u8,
}

fn main() {}
