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

fn owner(_: State) -> Field {
    Field { name: String::new() }
}

fn both(_: &Field) -> u32 {
    1
}

fn without_item(_: &State) -> Field {
    Field { name: String::new() }
}

cot_process! {
    pub process Demo {
        state: State,
        task a -> Field { mock: owner, next: b }
        task b -> Field { mock: both, next: c }
        task c -> Field { for_each: field in state.fields, prompt: "${field.name}", mock: without_item, next: done }
        task done { end }
    }
}

fn main() {}
