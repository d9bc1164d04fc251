// `plan` returns to `look`, its calling task, but `use_it` can be chosen before.
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
        task decide { transitions: { look: "Look around", done } }
        task look -> Plan {
            update: { notes[] = output.title },
            transitions: { plan: "Plan it", use_it: "Use it", decide: "Never mind" },
        }
        task plan -> Plan { update: plan }
        task use_it -> Plan { prompt: "${state.plan.title}", update: { notes[] = output.title } }
        task done { end }
    }
}

fn main() {}
