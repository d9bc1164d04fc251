use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

async fn load(state: &DemoState) -> Result<Note, std::io::Error> {
    std::fs::read_to_string(&state.id).map(|text| Note { text })
}

cot_process! {
    pub process Demo {
        state: { input id: String, page: String },
        task decide { transitions: { load: "Load page ${state.id}", read: "Read it" } }
        task load -> Note { run: load, update: { page = output.text }, next: read }
        task read -> Note {
            prompt: "Read ${quoted(&state.page)}.",
            update: { page = output.text },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
