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
        at_most: { calls: 0, questions: 0, output_tokens: 99999999999999999999 },
        task each -> Field { for_each: item in &state.fields, max_items: 0, prompt: "${item.name}", next: done }
        task done { end }
    }
}

fn main() {}
