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
        state: { plan: Plan, title: String },
        task decide {
            transitions: { work with state.plan.clone(), plan },
        }
        task plan -> Plan {
            update: plan,
            next: { work with Plan { title: state.title.clone(), ..state.plan.clone() } if true, done },
        }
        task work -> Note {
            inputs: Plan,
            prompt: "${inputs.title}",
            update: { title = output.text },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
