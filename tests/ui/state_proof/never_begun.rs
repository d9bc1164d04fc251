// A list without a default has nothing to append to.
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
        state: { plan: Plan, notes: Vec<String> },
        task collect -> Plan {
            update: { notes[] = output.title },
            next: { collect if state.notes.len() < 3, show },
        }
        task show -> Plan { prompt: "${list(&state.notes)}", update: plan, next: done }
        task done { end }
    }
}

fn main() {}
