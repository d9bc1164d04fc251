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
        state = State,
        task write -> Note { prompt = "Write", update: notes[], next = done }
        task again -> Note { temperature: 0.5.0, 3, more, next: done, titel: "Again" }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
