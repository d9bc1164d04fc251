use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
}

cot_process! {
    pub process Demo {
        state: State,
        prompts: { rules: include "nowhere.md", tone: 5, length "Be brief.", example: "${goal}" },
        task add -> Field {
            prompt: "${part(rules)}\n${part(tone)}\n${part(length)}\n${part(example)}",
            update: fields[],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
