// These are part of the prompt of every AI task.
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
        state: { plan: Plan, tone: String, rules: String, },
        intro: "You work on ${state.plan.title}.",
        system: "Be ${state.tone}.",
        primers: { output: "Follow ${state.rules}:" },
        task decide { transitions: { plan, done } }
        task plan -> Plan {
            update: { plan = output, tone = String::new(), rules = String::new() },
            next: decide,
        }
        task done { end }
    }
}

fn main() {}
