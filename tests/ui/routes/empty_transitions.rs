use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
}

cot_process! {
    pub process Demo {
        state: State,
        task decide { transitions: {} }
        task ask { prompt: "Which?", transitions: {} }
        task add -> Field { update: fields[], next: done }
        task done { end }
    }
}

fn main() {}
