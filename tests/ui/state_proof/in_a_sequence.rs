use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Verdict {
    pub good: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, review: String },
        sequence steps [look, review, plan, write],
        task look -> Verdict { prompt: "Is there anything to do?" }
        task review -> Note {
            prompt: "Review ${state.plan.title}.",
            update: { review = output.text },
        }
        task plan -> Plan { update: plan }
        task write -> Note { prompt: "Mind ${state.review} in ${state.plan.title}.", next: done }
        task done { end }
    }
}

fn main() {}
