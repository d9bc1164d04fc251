use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub rank: u32,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan },
        task write -> Plan {
            prompt: "Write a plan.",
            update: { plan = output.clone() if output.rank > 3, plan.title = "Kept".to_owned() },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
