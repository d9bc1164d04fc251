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
        state: { plan: Plan, title: String, words: Vec<String> = vec![] },
        task name_it -> Plan {
            update: {
                title = format!("{} and {}", state.plan.title, output.title),
                words[] = state.title,
            },
            next: plan,
        }
        task plan -> Plan { update: { plan = output, title = state.plan.title }, next: done }
        task done { end }
    }
}

fn main() {}
