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

async fn find(_: &State) -> Result<Field, std::io::Error> {
    Ok(Field { name: String::new() })
}

cot_process! {
    pub process Demo {
        state: State,
        task search -> Field { run: find, seed: 1, stop: ["END"], extra: { "top_k": 40 }, next: ask }
        task ask -> Field { ask: "Which?", effort: low, top_p: 0.5, next: done }
        task done { end, seed: 1 }
    }
}

fn main() {}
