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
        at_most: { calls: 50 },
        budget: { calls: 100 },
        task decide { prompt: "Decide.", transitions: { look: "to look", ask: "to ask", done: "to end" } }
        task look -> Field { prompt: "Look.", update: last, next: decide }
        task ask -> Field { ask: "What?", update: last, next: decide }
        task done { end }
    }
}

fn main() {}
