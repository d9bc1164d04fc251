use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Verdict {
    pub good: bool,
}

fn choose(output: &Verdict, _: &mut DemoState) -> DemoSortChoice {
    if output.good { DemoSortChoice::Plan } else { DemoSortChoice::Work }
}

cot_process! {
    pub process Demo {
        state: { plan: Plan },
        task sort -> Verdict { process_output: choose -> [plan, work] }
        task plan -> Plan { update: plan, next: work }
        task work -> Verdict { prompt: "Do ${state.plan.title}.", next: done }
        task done { end }
    }
}

fn main() {}
