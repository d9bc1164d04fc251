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
        tools: { search: search "Searches" if output.is_empty(), find: find "Finds" if inputs.deep },
        task write -> Field { tools: [search if output.name == "x", find if item], next: done }
        task done { end }
    }
}

fn main() {}
