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

#[derive(Clone)]
pub struct Bare {
    pub name: String,
}

cot_process! {
    pub process Demo {
        state: State,
        task a -> Field {
            transitions: { b: "Go on" with state.last },
            next: { b with output.name if output.name.is_empty(), c with Bare { name: output.name } },
        }
        task b -> Field { inputs: Field, prompt: "${inputs.name} ${inputs.title}", next: done }
        task c -> Field { inputs: Bare, prompt: "${inputs.name}", next: done }
        task done { end }
    }
}

fn main() {}
