// The introduction counts for every task that asks a model.
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
        state: { plan: Plan, tone: String },
        intro: "Be ${state.tone}.",
        task plan -> Plan {
            full_prompt: "Plan like ${state.plan.title}.",
            update: plan,
            next: work,
        }
        task work -> Plan {
            full_prompt: "${part(intro)} ${state.plan.title}",
            update: { plan = output, tone = String::new() },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
