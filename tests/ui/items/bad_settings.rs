use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
    pub last: Option<String>,
}

cot_process! {
    pub process Demo {
        state: State,
        temperature: 2.5,
        top_p: 1.01,
        max_tokens: 0,
        seed: -1,
        task decide { top_p: 0, seed: 18446744073709551616, temperature: "warm", transitions: { done } }
        task done { end }
    }
}

fn main() {}
