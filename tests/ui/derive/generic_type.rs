use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Text<'a> {
    text: std::borrow::Cow<'a, str>,
}

fn main() {}
