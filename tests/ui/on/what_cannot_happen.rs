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
        task search -> Field { run: find, on: { exhausted => done, truncated => done, budget => done }, next: ask }
        task ask -> Field { ask: "Which?", on: { timeout => done, exhausted => done, refused => done }, next: sub }
        task sub { process: Other with state.clone(), on: { budget => done, refused => done }, next: done }
        task done { end }
    }
}

fn main() {}
