use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, answer: String },
        task plan -> Plan { update: plan, next: approve, on: { timeout => approve } }
        task approve -> Note {
            ask: "Is ${state.plan.title} good?",
            update: { answer = output.text },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
