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
        task decide {
            transitions: { done if state.plan?.is_some() && state.plan.steps.is_empty(), plan },
        }
        task plan -> Plan { update: plan, next: decide }
        task done { end }
    }
}

fn main() {}
