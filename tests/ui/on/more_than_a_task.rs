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
        task ask -> Field {
            prompt: "Ask.",
            on: { exhausted => again with state.last.clone(), refused => done if state.last.is_some(), timeout => done now },
            next: again with None,
        }
        task again { inputs: Option<String>, run: again, next: done }
        task done { end }
    }
}

fn main() {}
