use cot_core::{History, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

cot_process! {
    pub process Demo {
        state: { web: Vec<Note> = vec![], papers: Vec<Note> = vec![], history: History = History::default() },
        history: { state_max_items: 9 },
        parallel research [web, papers] => merge
        task web -> Note { prompt: "Search: ${state.history.len()}", update: web[], next: merge }
        task papers -> Note { prompt: "Read.", update: papers[], next: merge }
        task merge { next: done }
        task done { end }
    }
}

fn main() {}
