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

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plain {
    pub name: String,
}

cot_process! {
    pub process Demo {
        state: State,
        task decide { transitions: { write with "one", other with model, done } }
        task write -> Field { inputs: u32, prompt: "${inputs}", next: { write with output.name if *inputs > 1, done } }
        task other -> Field { inputs: Plain, prompt: "${inputs.name}", next: done }
        task done { end }
    }
}

fn main() {}
