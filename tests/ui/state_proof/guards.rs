use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Verdict {
    pub good: bool,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, ready: bool },
        task decide -> Plan {
            transitions: { done if state.plan.steps.is_empty() && state.ready },
            next: { check_it if state.ready, done },
        }
        task check_it -> Verdict {
            update: { ready = output.good },
            next: { decide if state.plan.title.is_empty(), plan },
        }
        task plan -> Plan { update: plan, next: done }
        task done { end }
    }
}

fn main() {}
