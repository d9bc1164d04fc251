use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Titles {
    pub titles: Vec<String>,
}

cot_process! {
    pub process Demo {
        state: { titles: Vec<String>, plans: Vec<Plan> },
        task plan_all -> Plan {
            for_each: title in state.titles,
            prompt: "Plan ${title}, unlike ${json(state.plans)}.",
            update: plans,
            next: find,
        }
        task find -> Titles {
            update: { titles = output.titles },
            next: { plan_all if state.plans.is_empty(), done },
        }
        task done { end }
    }
}

fn main() {}
