use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, review: String, fixed: String = String::new() },
        task fix -> Note {
            prompt: "Fix ${state.plan.title}.",
            update: { fixed = output.text },
            next: done,
        }
        task done { fail: "What they said: ${state.review}, ${state.plan.title}" }
    }
}

fn main() {}
