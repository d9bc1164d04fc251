use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Plan {
    pub title: String,
    pub steps: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    pub text: String,
}

fn plan_it(output: &Note, state: &mut DemoState) {
    state.plan = Some(Plan { title: output.text.clone(), steps: vec![] });
}

cot_process! {
    pub process Demo {
        state: { plan: Plan },
        task sort -> Note { process_output: plan_it, next: work }
        task work -> Note { prompt: "Follow ${state.plan.title}.", next: done }
        task done { end }
    }
}

fn main() {}
