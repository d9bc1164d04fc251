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
        sequence steps [first, second],
        task decide { transitions: { first, second with 1, done } }
        task first -> Field { prompt: "First" }
        task second -> Field { inputs: u32, prompt: "${inputs}", next: done }
        task done { end }
    }
}

fn main() {}
