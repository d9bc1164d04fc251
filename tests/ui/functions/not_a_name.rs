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
        task write -> Note {
            mock: "a note",
            check: |note: &Note| Ok(()),
            process_output: { state.count += 1 },
            next: work,
        }
        task work -> Note { run: async { Ok(Note::default()) }, next: done }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
