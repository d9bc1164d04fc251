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
        state: State,
        prompts: { rules: "Be good." },
        max_retries: 2,
        max_retries: 3,
        task decide {
            titel: "Decide",
            prompt: "${part(rule)} ${sate.last}",
            transitions: { add_feild if state.fields.is_empty(), done },
        }
        task add_field -> Field {
            check: no_such_function,
            update: { feilds[] = output, last = output.name },
            next: { decide if output.name, done if state.last.is_none() },
        }
        task lonely -> Field { update: fields[] }
        task done { end, prompt: "Bye." }
    }
}

fn main() {}
