use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Limits {
    #[schemars(range(min = 5, max = 2))]
    count: u32,
    #[schemars(range(min = 0.5, max = -0.5))]
    share: f64,
    #[schemars(length(min = 3, max = 1))]
    name: String,
    #[schemars(length(max = -1))]
    tags: Vec<String>,
    #[schemars(range(min = 2, max = 2))]
    fine: i8,
}

fn main() {}
