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

fn choose(field: &Field, _: &mut State) -> DemoAChoice {
    if field.name.is_empty() { DemoAChoice::B } else { DemoAChoice::B(field.name.clone()) }
}

cot_process! {
    pub process Demo {
        state: State,
        task a -> Field { process_output: choose -> [b, done] }
        task b -> Field { inputs: Field, prompt: "${inputs.name}", next: done }
        task done { end }
    }
}

fn main() {}
