use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub notes: Vec<Note>,
}

cot_process! {
    pub process Inner {
        state: State,
        task write -> Note { prompt: "Write.", max_tokens: 100, update: notes[], next: done }
        task done { end }
    }
}

cot_process! {
    pub process Endless {
        state: State,
        task write { prompt: "Write.", transitions: { ask: "to ask", done: "to end" } }
        task ask -> Note { ask: "What?", update: notes[], next: write }
        task done { end }
    }
}

cot_process! {
    pub process Demo {
        state: State,
        at_most: { calls: 11, output_tokens: 1200, questions: 1 },
        task each { for_each: _note in &state.notes, max_items: 3, process: Inner with State::default(), next: again }
        task again { process: Inner with State::default(), max_retries: 0, next: done }
        task done { end }
    }
}

cot_process! {
    pub process Open {
        state: State,
        at_most: { questions: 3 },
        task again { process: Endless with State::default(), next: done }
        task done { end }
    }
}

fn main() {}
