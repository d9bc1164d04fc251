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
        at_most: { calls: 100, output_tokens: 1000 },
        task each -> Field { for_each: item in &state.fields, prompt: "${item.name}", max_tokens: 10, next: draft }
        task draft -> Field { prompt: "Draft.", update: last, next: done }
        task done { end }
    }
}

fn main() {}
