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
        stop: "END",
        task first -> Field { stop: [], next: second }
        task second -> Field { stop: ["a", "b", "c", "d", "e"], next: third }
        task third -> Field { stop: ["END", "", "END"], next: done }
        task done { end }
    }
}

fn main() {}
