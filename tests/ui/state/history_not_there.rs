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
        state: { notes: Vec<Note> = vec![], history: cot_core::History },
        history: { state_max_items: 3 },
        task write -> Note { update: notes[], next: done }
        task done { end }
    }
}

cot_process! {
    process Q {
        state: { notes: Vec<Note> = vec![] },
        history: { state_max_items: 3 },
        task write -> Note { update: notes[], next: done }
        task done { end }
    }
}

fn main() {
    let _ = P::runner();
}
