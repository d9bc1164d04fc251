use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

fn choose(output: &bool, _: &mut DemoState) -> DemoSortChoice {
    if *output { DemoSortChoice::Plan } else { DemoSortChoice::Work }
}

cot_process! {
    pub process Demo {
        state: { plan: Plan },
        task sort -> bool { process_output: choose -> [plan, work] }
        task plan -> Plan { update: plan, next: work }
        task work -> bool { prompt: "Do ${state.plan.title}.", next: done }
        task done { end }
    }
}

fn main() {}
