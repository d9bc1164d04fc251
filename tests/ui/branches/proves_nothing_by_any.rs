use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

cot_process! {
    pub process Demo {
        state: { web: Note, papers: Note },
        parallel research [web, papers] => merge { join: any }
        task web -> Note { prompt: "Search.", update: web, next: merge }
        task papers -> Note { prompt: "Read.", update: papers, next: merge }
        task merge -> Note { prompt: "${state.web.text} ${state.papers.text}", next: done }
        task done { end }
    }
}

fn main() {}
