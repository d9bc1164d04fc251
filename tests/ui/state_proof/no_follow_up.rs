// What can't be read may write anything, and lead anywhere.
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
        state: { plan: Plan, review: Note },
        task plan -> Plan { update: { plan output }, next: review }
        task review -> Note {
            prompt: "${state.plan.title}",
            update: { reveiw = output },
            next: nowhere,
        }
        task work -> Plan {
            prompt: "${state.review.text} ${state.plan.title}",
            update: plan,
            next: done,
        }
        task done { end }
    }
}

fn main() {}
