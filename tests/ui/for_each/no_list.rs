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
        task first -> Note { for_each: state.notes, prompt: "${item.text}", update: notes, next: second }
        task second -> Note { for_each: note of state.notes, update: notes, next: third }
        task third -> Note { for_each: (number, note) in state.notes, update: notes, next: done }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
