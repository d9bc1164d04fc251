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
        default_return: write,
        task decide { transitions: { write with 1, other, done } }
        task write -> Field { inputs: u32, prompt: "${inputs}", next: decide }
        task other -> Field { prompt: "Other" }
        task done { end }
    }
}

fn main() {}
