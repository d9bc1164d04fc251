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
        task ask -> Field {
            prompt: "Ask.",
            check: |output: &Field, state: &State| Ok(()),
            mock: |state: &State, cx: &Cx<'_, Demo>| Field { name: String::new() },
            next: pay,
        }
        task pay { run: async move |state: &State, timeout: u32| Ok(()), next: done }
        task done { end }
    }
}

fn main() {}
