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
        task other { for_each: field in state.fields, process: Other, next: done }
        task done { end }
    }
}

fn main() {}
