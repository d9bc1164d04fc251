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

fn words(_: &State) -> String {
    String::new()
}

fn length(_: &Scope<'_, Demo>) -> usize {
    3
}

const LENGTH: u32 = 3;

cot_process! {
    pub process Demo {
        state: State,
        task decide { prompt: words, transitions: { again, done } }
        task again { prompt: length, errors_primer: LENGTH, transitions: { done } }
        task done { end }
    }
}

fn main() {}
