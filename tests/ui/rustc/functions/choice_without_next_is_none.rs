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

fn apply(_: &Field, _: &mut State) -> Option<DemoAddChoice> {
    None
}

cot_process! {
    pub process Demo {
        state: State,
        task add -> Field { process_output: apply -> [add, done] }
        task done { end }
    }
}

fn main() {}
