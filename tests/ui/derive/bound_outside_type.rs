use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Limits {
    #[schemars(range(max = 300))]
    percent: u8,
    #[schemars(range(min = -1, max = 10))]
    count: Option<usize>,
    #[schemars(range(min = -128, max = 127))]
    fine: i8,
}

fn main() {}
