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
        state: { input request: String, plan: Plan, review: String, fixed: Plan },
        intro: "The request: ${state.request}",
        task decide { transitions: { plan, write: "Write ${state.plan.title}", reveiw } }
        task plan -> Plan {
            update: { plan = output, fixed.title = output.title },
            next: { write if state.plan.titel.is_empty(), review },
        }
        task review -> Note {
            prompt: "Is ${json(state.plan)} good?",
            update: { review = output.text },
            next: decide,
        }
        task write -> Plan {
            prompt: "Write ${state.plan.title} and mind\n${state.review}",
            update: fixed,
            next: { review if state.fixed.steps.is_empty(), done },
        }
        task done { end }
    }
}

fn main() {}
