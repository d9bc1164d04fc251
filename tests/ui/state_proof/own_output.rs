// A loop that improves a plan, and that nothing gives a plan to begin with.
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
        state: { plan: Plan },
        task refine -> Plan {
            prompt: "Make ${json(state.plan)} better.",
            update: plan,
            next: { refine if state.plan.steps.len() < 3, done },
        }
        task done { end }
    }
}

fn main() {}
