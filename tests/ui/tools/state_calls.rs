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
            search: search "Searches" { only: all },
            files: source app.files { only: every },
        },
        task none -> ToolRound { calls: state.calls, next: silent }
        task silent { calls: state.calls, tools: [search], next: asks }
        task asks -> ToolRound { calls: state.calls, tools: [search], prompt: "Call", next: each }
        task each -> ToolRound { for_each: call in state.calls, calls: [call], tools: [search], next: settings }
        task settings -> ToolRound {
            calls: output.calls,
            tools: [search, files],
            check: sound,
            max_retries: 3,
            retry: { max: 3 },
            effect: once,
            model: "large",
            on: { truncated => done, interrupted => done },
            next: done,
        }
        task done { end }
    }
}

fn main() {}
