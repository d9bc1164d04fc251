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
    pub last: Option<Field>,
}

cot_process! {
    pub process Demo {
        state: State,
        at_most: { output_tokens: 1000 },
        max_steps: 4000000000,
        max_tokens: 4000000000,
        max_retries: 4000000000,
        task decide { prompt: "Decide.", transitions: { decide: "again", done: "to end" } }
        task done { end }
    }
}

fn main() {}
