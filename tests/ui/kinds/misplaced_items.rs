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

async fn find(_: &State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

cot_process! {
    pub process Other {
        state: State,
        task done { end }
    }
}

cot_process! {
    pub process Demo {
        state: State,
        task write -> Field { max_concurrency: 4, next: search }
        task search -> Field { run: find, temperature: 0.5, model: "large", next: ask }
        task ask -> Field { ask: "Which?", max_tokens: 10, next: sub }
        task sub { process: Other with state.clone(), errors_primer: "Wrong:", next: gate }
        task gate { timeout: 5s, on: { timeout => done }, next: done }
        task done { end, wait: 5m }
    }
}

fn main() {}
