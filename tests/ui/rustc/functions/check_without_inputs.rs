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

fn sound(_: &Field, _: &State) -> Result<(), Issues> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task decide { transitions: { write with 1 } }
        task write -> Field { inputs: u32, check: sound, next: done }
        task done { end }
    }
}

fn main() {}
