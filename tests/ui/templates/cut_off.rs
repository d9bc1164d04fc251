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
        goal: "${match state.count { 0 => "none".to_owned(), n => format!("{n}") }} notes",
        task decide {
            prompt: "${shown("x")}",
            transitions: { write: "Write ${shown(" a note ")} now" if state.count < 3, done },
        }
        task write -> Note { update: notes[], next: decide }
        task done { end }
    }
}

fn shown(text: &str) -> &str {
    text
}

fn main() {
    let _ = P::runner();
}
