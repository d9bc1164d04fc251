// What is misspelled counts as what was probably meant: `work` reads no unset field.
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
        state: { plan: Plan, steps: Vec<String> = vec![], done: bool = false },
        prompts: { rules: "${part(more)}", more: "Beware:\n  ${state.whatever}" },
        task plan -> Plan {
            prompt: "Mind ${state.stpes.len()} steps. ${part(rules)}",
            transitions: { done if state.dnoe },
            update: { paln = output, setps[] = format!("{}", state.pln.title), elsewhere.x = 1 },
            next: { done if !state.dne?, work },
        }
        task work -> Verdict {
            prompt: "${state.plan.title}",
            update: { done = output.good },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
