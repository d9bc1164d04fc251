use cot_core::CotOutput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Nothing {}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Hidden {
    #[serde(skip)]
    Gone,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Endless {
    name: String,
    next: Box<Self>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Deep {
    One(Box<Deep>),
    Two { name: String, next: Box<Deep> },
}

fn main() {}
