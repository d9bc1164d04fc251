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

#[derive(Debug, Clone)]
pub struct Plain;

fn sound(_: &Field, _: &State, _: &Plain) -> Result<(), Issues> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task decide { transitions: { write with Plain, done } }
        task write -> Field { inputs: Plain, check: sound, next: done }
        task done { end }
    }
}

fn main() {}
