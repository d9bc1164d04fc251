use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Count {
    pub count: usize,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, size: usize = 0 },
        default_return: work,
        task count -> Count { update: { size = output.count } }
        task work -> Plan { prompt: "Do ${state.plan.title}.", transitions: { count, plan, done } }
        task plan -> Plan { update: plan }
        task done { end }
    }
}

fn main() {}
