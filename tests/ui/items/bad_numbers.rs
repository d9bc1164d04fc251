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
        max_retries: 99999999999,
        max_steps: 0,
        task decide { temperature: 7.5, max_tokens: 0, transitions: { done } }
        task done { end }
    }
}

fn main() {}
