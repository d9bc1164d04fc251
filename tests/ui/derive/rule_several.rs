use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[cot(alais = "title", check = "short")]
    #[schemars(range(min = 1))]
    name: String,
    #[cot(required)]
    count: u32,
}

fn is_output<T: CotOutput>() {}

fn main() {
    // The type is an output in spite of its mistakes, so that nothing else fails for it.
    is_output::<Order>();
}
