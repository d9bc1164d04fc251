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
        at_most: { calls: 10, questions: 1 },
        task draft -> Field { prompt: "Draft.", max_retries: 1, update: fields[], next: review }
        task review -> Field { prompt: "Review.", model: ["small", "large"], next: { sure if state.fields.len() > 3, edit } }
        task edit -> Field { prompt: "Edit.", next: ask }
        task sure -> Field { ask: "Sure?", next: done }
        task ask -> Field { ask: "Good?", next: sure }
        task done { end }
    }
}

fn main() {}
