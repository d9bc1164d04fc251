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
        state: {
            input request: String,
            input old: String,
            plan: Plan,
            count: usize = 0,
            _spare: String,
        },
        task plan -> Plan { update: { old = output.title }, next: done }
        task done { end }
    }
}

fn main() {}
