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
        state: { plans: Vec<Plan> = vec![] },
        task plan -> Plan {
            prompt: "${state.plans.iter().filter(|state| state.steps.is_empty()).count()}",
            update: plans[],
            next: { plan if state.plans.iter().any(|state| state.title.is_empty()), done },
        }
        task done { end }
    }
}

fn main() {}
