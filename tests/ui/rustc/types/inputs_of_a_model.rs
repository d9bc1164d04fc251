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

#[derive(Clone, Serialize, Deserialize)]
pub struct Plain {
    pub name: String,
}

cot_process! {
    pub process Demo {
        state: State,
        task a { transitions: { b with model, done } }
        task b -> Field { inputs: Plain, prompt: "${inputs.name}", next: done }
        task done { end }
    }
}

fn main() {}
