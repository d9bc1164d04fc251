use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
    pub last: Option<String>,
}

cot_process! {
    pub process Demo {
        state: { plan: Field, log: Vec<String> = vec![], last: String },
        task a -> Field {
            update: { plan = output.name, plan.name = output, log[] = output, plan.title = output.name },
            next: b,
        }
        task b -> Field {
            prompt: "${state.plan.title} ${state.plan?.name} ${state.log}",
            update: { last = state.plan, log[] = state.plan },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
