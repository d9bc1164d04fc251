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
        context: App,
        tools: {
            files: app.files { only: [read_file] },
            notes: &app.notes { only: all },
            mails: app.mails() { only: all },
        },
        task ask -> Field { prompt: "Ask.", tools: [files, notes, mails], next: done }
        task done { end }
    }
}

fn main() {}
