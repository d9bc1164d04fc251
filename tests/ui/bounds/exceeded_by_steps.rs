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
    pub last: Option<Field>,
}

cot_process! {
    pub process Demo {
        state: State,
        max_steps: 60,
        at_most: { calls: 100, output_tokens: 100000 },
        max_tokens: 600,
        task decide { prompt: "Decide.", transitions: { look: "to look", done: "to end" } }
        task look -> Field { prompt: "Look.", max_retries: 0, update: last, next: decide }
        task done { end }
    }
}

fn main() {}
