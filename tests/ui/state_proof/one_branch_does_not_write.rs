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
        state: { plan: Plan, result: String },
        task decide {
            transitions: { plan: "Plan first", hurry: "There is no time for a plan" },
        }
        task plan -> Plan { update: plan, next: work }
        task hurry -> Plan {
            prompt: "Only think of a title.",
            update: { result = output.title },
            next: work,
        }
        task work -> Plan {
            prompt: "Do it.\n\nThe plan: ${json(state.plan)}",
            update: { result = output.title },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
