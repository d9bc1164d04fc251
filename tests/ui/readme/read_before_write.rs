//! The mistake that the README shows in a declared state.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Plan {
    title: String,
}

cot_process! {
    process Work {
        state: {
            input request: String,   // given at the start
            plan: Plan,              // written by a task before anything reads it
        },
        task decide { transitions: { plan: "Make a plan", step: "Do a step" } }
        task plan -> Plan { prompt: "Plan: ${state.request}", update: plan, next: step }
        task step -> Plan { prompt: "Follow ${state.plan.title}.", next: done }
        task done { end }
    }
}

fn main() {}
