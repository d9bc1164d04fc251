use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
    rank: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    notes: Vec<Note>,
    last: Option<Note>,
    count: u32,
}

cot_process! {
    process P {
        state: State,
        task write -> Note { rnu: load, next: check }
        task check { aks: "Fine?", next: done }
        task done { edn }
        task failed { Fail: "no" }
    }
}

fn main() {
    let _ = P::runner();
}
