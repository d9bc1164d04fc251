use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(chekc = whole)]
struct Order {
    #[cot(alais = "title", colour)]
    name: String,
    #[cot(allow_los, 3, partial = )]
    #[cot]
    #[cot = "x"]
    items: Vec<String>,
}

fn main() {}
