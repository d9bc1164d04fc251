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
        task work -> Plan { prompt: "Follow ${state.plan.title}.", next: plan }
        task plan -> Plan { prompt: "Make a plan.", update: plan, next: done }
        task done { end }
    }
}

fn main() {}
