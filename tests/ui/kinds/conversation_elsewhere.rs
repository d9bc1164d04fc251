use cot_core::{Example, model::Turn, prelude::*};
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

fn fields() -> Vec<Example<Field>> {
    Vec::new()
}

async fn find(_: &State) -> Result<Field, std::io::Error> {
    Ok(Field { name: String::new() })
}

cot_process! {
    pub process Demo {
        state: State,
        task decide { transitions: { search, ask }, examples: fields }
        task search -> Field { run: find, turns: state.talk, examples: fields, next: ask }
        task ask -> Field { ask: "Which?", turns: state.talk, next: done }
        task done { end }
    }
}

fn main() {}
