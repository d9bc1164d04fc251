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
        task decide { transitions: { search, ask, each, write, done } }
        task search -> Field { run: find, ask: "Which?" }
        task ask -> Field { ask: "Which?", process: Other }
        task each -> Field { for_each: item in &state.fields, transitions: { done } }
        task write -> Field { prompt: "Write", run: find }
        task done { end, fail: "no" }
    }
}

fn main() {}
