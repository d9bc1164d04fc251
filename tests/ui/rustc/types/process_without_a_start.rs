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
pub struct Other {
    pub name: String,
}

cot_process! {
    pub process Sub {
        state: Other,
        task look -> Field { next: done }
        task done { end }
    }
}

cot_process! {
    pub process Demo {
        state: State,
        task a { process: Sub, next: b }
        task b { process: Sub with state.last, next: done }
        task done { end }
    }
}

fn main() {}
