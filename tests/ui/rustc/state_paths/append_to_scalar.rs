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

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Counter {
    pub count: u32,
    pub last: State,
}

cot_process! {
    pub process Demo {
        state: Counter,
        task add -> Field { update: { last.x[] = output, count[] = 1 }, next: done }
        task done { end }
    }
}

fn main() {}
