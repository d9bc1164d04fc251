use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

async fn load(state: &DemoState) -> Result<String, std::io::Error> {
    std::fs::read_to_string(&state.id)
}

cot_process! {
    pub process Demo {
        state: { input id: String, page: String },
        task decide { transitions: { load: "Load page ${state.id}", read: "Read it" } }
        task load -> String { run: load, update: page, next: read }
        task read -> String { prompt: "Read ${quoted(&state.page)}.", update: page, next: done }
        task done { end }
    }
}

fn main() {}
