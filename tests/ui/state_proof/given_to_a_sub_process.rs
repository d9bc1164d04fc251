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
    pub process Other {
        state: { input title: String, text: String = String::new() },
        task write -> Note { prompt: "Write about ${state.title}.", update: { text = output.text }, may_end }
    }
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, result: String },
        task decide { transitions: { plan, work } }
        task plan -> Plan { update: plan, next: work }
        task work {
            process: Other with OtherState::new(state.plan.title.clone()),
            update: { result = output.text },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
