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
        state: { plan: Plan, review: String },
        sequence steps [look, review, plan, write],
        task look -> bool { prompt: "Is there anything to do?" }
        task review -> String { prompt: "Review ${state.plan.title}.", update: review }
        task plan -> Plan { update: plan }
        task write -> String { prompt: "Mind ${state.review} in ${state.plan.title}.", next: done }
        task done { end }
    }
}

fn main() {}
