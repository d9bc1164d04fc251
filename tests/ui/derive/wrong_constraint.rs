use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    #[schemars(length(max = 3))]
    count: u32,
    #[schemars(range(max = 3))]
    name: Option<String>,
    #[schemars(range(min = 1))]
    tags: Vec<u8>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    aliases: Vec<String>,
    #[schemars(email)]
    urgent: bool,
    #[schemars(inner(url))]
    scores: Vec<f64>,
    #[schemars(inner(range(min = 1)))]
    single: u8,
    #[schemars(length(min = 1))]
    prices: std::collections::BTreeMap<String, f64>,
    // What a type of the user's is in JSON can't be known here.
    #[schemars(range(min = 1))]
    amount: Amount,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Amount(u64);

fn main() {}
