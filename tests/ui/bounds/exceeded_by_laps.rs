use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

cot_process! {
    pub process Demo {
        state: { fields: Vec<Field> = Vec::new() },
        at_most: { calls: 20 },
        task draft -> Field { prompt: "Draft.", max_retries: 0, next: review }
        task review -> Field {
            prompt: "Review.",
            max_retries: 0,
            update: fields[],
            next: { done if state.fields.len() >= 12, draft },
        }
        task done { end }
    }
}

fn main() {}
