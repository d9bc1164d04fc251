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

pub struct Opaque;

cot_process! {
    pub process Demo {
        state: State,
        task ask -> Field {
            prompt: "Fields: ${state.fields.len()}.
                The last one: ${state.last}.
                As JSON: ${json(Opaque)}, ${json_pretty(Opaque)}.
                Unknown: ${state.feilds}.",
            next: done,
        }
        task done { end }
    }
}

fn main() {}
