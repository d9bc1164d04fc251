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

fn answer(_: &State) -> Field {
    Field { name: String::new() }
}

fn output(_: &Cx<Other>) -> Field {
    Field { name: String::new() }
}

cot_process! {
    pub process Demo {
        state: State,
        mock: answer,
        task add -> Field { update: fields[], next: done }
        task done { end }
    }
}

cot_process! {
    pub process Other {
        state: State,
        mock: output,
        task add -> Field { update: fields[], next: done }
        task done { end }
    }
}

fn main() {}
