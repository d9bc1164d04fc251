use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub web: Note,
    pub papers: Note,
    pub plan: Plan,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<Note>,
}

cot_process! {
    pub process Demo {
        state: State,
        parallel research [web, papers] => merge
        task web -> Note { prompt: "Search: ${json(state)}", update: web, next: merge }
        task papers -> Note { prompt: "Read.", update: papers, next: { merge if state.is_done(), papers } }
        task merge { next: done }
        task done { end }
    }
}

fn main() {}
