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
        state: State, context: App,
        tools: {
            search: search "Searches" { only: [find] },
            files: source app.files,
            mail: source app.mail { only: [] },
            web: source app.web { only: [get], mock: fake },
        },
        task write -> Field { tools: [search, files, mail, web], next: done }
        task done { end }
    }
}

fn main() {}
