//! Fields that seem unused, and are not.
#![deny(warnings)]

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

cot_process! {
    process Results {
        state: { input _given_back: String, input list: Vec<String>, plan: Plan, _spare: u32 = 1 },
        task plan -> Plan { update: { plan = output, list[] = output.title }, next: done }
        task done { end }
    }
}

fn check(plan: &Plan, state: &SeenByFunctionsState) -> Result<(), Issues> {
    match plan.title == state.forbidden {
        true => Err(Issues::at("title", "not this one")),
        false => Ok(()),
    }
}

cot_process! {
    process SeenByFunctions {
        state: { input forbidden: String, plan: Plan },
        task plan -> Plan { check: check, update: plan, next: done }
        task done { end }
    }
}

cot_process! {
    process SeenAsAWhole {
        state: { input request: String, plan: Plan },
        task plan -> Plan { prompt: "${json(state)}", next: done }
        task done { end }
    }
}

impl SeenByAMethodState {
    fn summary(&self) -> String {
        format!("{} and {:?}", self.request, self.plan)
    }
}

cot_process! {
    process SeenByAMethod {
        state: { input request: String, plan: Plan },
        task plan -> Plan { prompt: "${state.summary()}", next: done }
        task done { end }
    }
}

pub(super) fn main() {}
