use cot_core::{model::Turn, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub name: String,
    pub talk: Vec<Turn>,
}

cot_process! {
    pub process Demo {
        state: State,
        task first -> Field { turns: state.name, next: second }
        task second -> Field { turns: state.talk.iter(), next: third }
        task third -> Field { turns: vec![state.name.clone()], next: done }
        task done { end }
    }
}

fn main() {}
