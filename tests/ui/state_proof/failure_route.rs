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
        task plan -> Plan { update: plan, next: done, on: { exhausted => apologise } }
        task apologise { fail: "There is no plan beyond ${state.plan.title}." }
        task done { end }
    }
}

fn main() {}
