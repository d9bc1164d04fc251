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
        state: { input request: String, plan: Plan, steps: Vec<String> = vec![] },
        task plan -> Plan {
            prompt: "${json(state.request?)} ${json(state.plan?)}",
            transitions: { done if state.steps?.is_empty() },
            update: plan,
            next: done,
        }
        task done { end }
    }
}

fn main() {}
