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
        goal: "Do what ${state.plan.title} says",
        task plan -> Plan { update: plan, next: done }
        task done { end }
    }
}

fn main() {}
