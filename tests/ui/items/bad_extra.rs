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
        extra: ["top_k", 40],
        task first -> Field { extra: { "temperature": 0.5, "messages": [], "top_k": 40 }, next: second }
        task second -> Field { extra: { top_k: 40 }, next: third }
        task third -> Field { extra: { "top_k": limit }, next: fourth }
        task fourth -> Field { extra: { "top_k": 40u32 }, next: fifth }
        task fifth -> Field { extra: { "top_k": 40, "top_k": 50 }, next: sixth }
        task sixth -> Field { extra: { "top_k" 40 }, next: done }
        task done { end }
    }
}

fn main() {}
