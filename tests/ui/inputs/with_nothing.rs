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
        task decide { transitions: { read with, write: "Write" with if state.count < 3, done } }
        task read -> Note { inputs: Note, prompt: "${inputs.text}", next: { write with, } }
        task write -> Note { inputs: Note, prompt: "${inputs.text}", next: run }
        task run { process: Other with, update: { count = 1 }, next: done }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
