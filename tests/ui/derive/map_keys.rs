use std::collections::{BTreeMap, HashMap};

use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    prices: HashMap<(u8, u8), u32>,
    switches: Option<Vec<BTreeMap<[u8; 2], u32>>>,
    nested: BTreeMap<String, BTreeMap<Vec<String>, u32>>,
    // Strings, integers, bools, and what only you can know.
    by_flag: BTreeMap<bool, u32>,
    by_name: HashMap<String, u32>,
    by_number: BTreeMap<u64, u32>,
    by_kind: BTreeMap<Kind, u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
enum Kind {
    A,
}

fn main() {}
