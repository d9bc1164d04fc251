use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, review: String, fixed: String = String::new() },
        task fix -> String { prompt: "Fix ${state.plan.title}.", update: fixed, next: done }
        task done { fail: "What they said: ${state.review}, ${state.plan.title}" }
    }
}

fn main() {}
