use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
    pub last: Option<String>,
}

cot_process! {
    pub process Demo {
        state: { web: Option<String> = None, papers: Option<String> = None },
        intro: "Last: ${last_output.is_some()}, ${part(before)}",
        prompts: { before: "Before: ${last_output.is_some()}" },
        task start { run: nothing, next: research }
        parallel research [web, papers] => merge
        task web -> Field {
            prompt: "Search.
                After: ${last_output.is_some()}",
            update: { web = Some(output.name) },
            next: merge,
        }
        task papers -> Field { prompt: "Read.", update: { papers = Some(output.name) }, next: merge }
        task merge -> Field { prompt: "Merge ${last_output.is_some()} ${json(state)}.", next: done }
        task done { end }
    }
}

fn main() {}
