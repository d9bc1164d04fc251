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

fn check(field: &Field, _: &State) -> Result<(), Issues> {
    if field.name.is_empty() { Err(Issues::at("$", "is empty")) } else { Ok(()) }
}

cot_process! {
    pub process Demo {
        state: State,
        task think {
            reason: "What is missing?",
            update: { last = output.conclusions },
            next: { done if output.steps.is_empty(), checked },
        }
        task checked { reason: "What is missing?", check: check, update: { last = output.conclusion }, next: done }
        task done { end }
    }
}

fn main() {}
