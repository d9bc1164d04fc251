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
    pub process Demo {
        state: State,
        task search -> Field { run: find, reason: "What is missing?", next: ask }
        task ask -> Field { ask: "Which?", reason: "What is missing?", next: think }
        task think { reasons: "What is missing?", update: { last = output.conclusion }, next: done }
        task done { end, reason: "Why?" }
    }
}

fn main() {}
