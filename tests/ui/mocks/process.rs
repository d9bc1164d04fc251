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

fn field(_: &State) -> Field {
    Field { name: "x".into() }
}

cot_process! {
    pub process Demo {
        state: State,
        mock_mode: true,
        task write -> Field { mock: field, next: decide }
        task decide { transitions: { ask, each, search, real } }
        task ask -> Field { ask: "Which?", next: done }
        task each -> Field { for_each: item in &state.fields, prompt: "${item.name}", next: done }
        task search -> Field { run: find, next: done }
        task real -> Field { mock_mode: false, next: done }
        task done { end }
    }
}

fn main() {}
