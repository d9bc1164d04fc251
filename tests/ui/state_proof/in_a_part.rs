// A part counts where it is shown: in `work` it is fine, in `ask` it is not.
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

cot_process! {
    pub process Demo {
        state: { plan: Plan, done: bool = false },
        prompts: {
            rules: "Be brief.\n${part(the_plan)}",
            the_plan: "The plan is ${state.plan.title}, of ${state.plan.steps.len()} steps.",
        },
        task ask -> Verdict {
            prompt: "Is there more? ${part(rules)}",
            update: { done = output.good },
            next: plan,
        }
        task plan -> Plan { update: plan, next: work }
        task work -> Verdict {
            prompt: "${part(rules)}",
            update: { done = output.good },
            next: { ask if state.done, done },
        }
        task done { end }
    }
}

fn main() {}
