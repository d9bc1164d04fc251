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

cot_process! {
    pub process Demo {
        state: State,
        task typed -> Field { reason: "What is missing?", next: twice }
        task twice { reason: "What is missing?", reason: "Think well.", next: told }
        task told { prompt: "What is missing?", reason: "Think well.", next: whole }
        task whole { full_prompt: "What is missing?", reason: "Think well.", next: chosen }
        task chosen { reason: "What is missing?", transitions: { typed: "A field" }, next: each }
        task each -> Field { for_each: field in &state.fields, reason: "Why ${field.name}?", next: done }
        task done { end }
    }
}

fn main() {}
