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

fn fields() -> Vec<Field> {
    Vec::new()
}

cot_process! {
    pub process Demo {
        state: State,
        task each -> Field { for_each: state in fields(), prompt: "Describe it", next: done }
        task done { end }
    }
}

fn main() {}
