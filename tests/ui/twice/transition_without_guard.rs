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
        task decide { transitions: { add: "new", done, add: "again" if state.last.is_some() } }
        task add -> Field { update: fields[], next: decide }
        task done { end }
    }
}

fn main() {}
