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
        state: { plan: Note, count },
        task write -> Note { prompt: "${state.}", check: , update: { plan = , plan. = output, plan.text }, next: { done if , } }
        task
        task done { end }
    }
}

fn main() {
    let _ = (P::runner(), POutput::Write(Note::default()), POutcome::Done, PTask::Done);
}
