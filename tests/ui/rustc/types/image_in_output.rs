use cot_core::{CotOutput, model::Image};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Drawing {
    title: String,
    image: Image,
}

fn main() {}
