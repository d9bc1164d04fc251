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
pub struct Outer {
    pub inner: State,
}

cot_process! {
    pub process Demo {
        state: Outer,
        task add -> Field { update: { inner.feilds[] = output }, next: done }
        task done { end }
    }
}

fn main() {}
