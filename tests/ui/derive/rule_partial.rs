use std::collections::BTreeMap;

use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[cot(partial)]
    name: String,
    #[cot(partial)]
    counts: Vec<Option<u32>>,
    #[cot(partial)]
    by_name: BTreeMap<String, Rest>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Rest(#[cot(partial)] Whole);

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Whole {
    One {
        #[cot(partial)]
        rest: Box<Rest>,
    },
    None,
}

fn main() {}
