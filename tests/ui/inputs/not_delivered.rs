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
        task decide { transitions: { write: "Write", done } }
        task write -> Field { inputs: Vec<String>, prompt: "${json(inputs)}", next: again }
        task again -> Field { inputs: Field, prompt: "${inputs.name}", next: { write if state.last.is_some(), done } }
        task done { end }
    }
}

fn main() {}
