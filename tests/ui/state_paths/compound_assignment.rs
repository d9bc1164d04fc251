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
        task write -> Note { update: { count += output.rank, last?.rank -= 1, notes += output }, next: done }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
