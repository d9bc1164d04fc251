// `inner` is left by its transition, which unwinds to `hub` and writes nothing.
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
        state: { plan: Plan },
        task hub { transitions: { outer, finish } }
        task outer { transitions: { inner, hub } }
        task inner -> Plan { update: plan, transitions: { hub: "Back to the beginning" } }
        task finish -> Plan {
            prompt: "Finish ${state.plan.title}.",
            update: plan,
            next: done,
        }
        task done { end }
    }
}

fn main() {}
