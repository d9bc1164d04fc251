// The model may choose to work before it has planned.
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
        state: { plan: Plan, notes: Vec<String> = vec![] },
        start: decide,
        task decide {
            transitions: { plan: "Make a plan", work: "Do a step of the plan", done },
        }
        task plan -> Plan { update: plan }
        task work -> Plan {
            prompt: "Do the next step of ${list(&state.plan.steps)}.",
            update: { notes[] = output.title },
        }
        task done { end }
    }
}

fn main() {}
