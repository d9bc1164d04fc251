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

fn with_inputs(_: &Field, _: &State) -> Result<(), Issues> {
    Ok(())
}

fn with_item(_: &Field, _: &State, _: &String) -> Result<(), Issues> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task a -> Field { next: b with state.fields[0].clone() }
        task b -> Field { inputs: Field, prompt: "${inputs.name}", check: with_inputs, next: c }
        task c -> Field { for_each: field in state.fields, prompt: "${field.name}", check: with_item, next: done }
        task done { end }
    }
}

fn main() {}
