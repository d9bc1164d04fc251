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
        prompts: { loop: "x" },
        task self -> Note { update: notes[], next: done }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
