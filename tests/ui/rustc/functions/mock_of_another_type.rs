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

fn number(_: &State) -> u32 {
    1
}

fn reply(_: &State) -> Field {
    Field { name: String::new() }
}

cot_process! {
    pub process Demo {
        state: State,
        task write -> Field { mock: number, next: decide }
        task decide { transitions: { done }, mock: reply }
        task done { end }
    }
}

fn main() {}
