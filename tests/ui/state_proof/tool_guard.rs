use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
}

cot_process! {
    pub process Demo {
        state: { plan: Plan, note: String = String::new() },
        tools: { search: search "Searches" if !state.plan.title.is_empty() },
        task write -> Plan { tools: [search if state.plan.title.len() > 3], update: plan, next: done }
        task done { end }
    }
}

fn main() {}
