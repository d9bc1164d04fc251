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
        state: { input request: String, pending: Vec<ToolCall>, round: ToolRound },
        tools: { search: search "Searches" },
        task call -> ToolRound { calls: state.pending, tools: [search], update: round, next: write }
        task write -> Field { prompt: "${state.request}", update: { pending = output.calls }, next: done }
        task done { end }
    }
}

cot_process! {
    pub process Beside {
        state: State,
        tools: { search: search "Searches" },
        parallel both [call, write] => done
        task call -> ToolRound { calls: state.pending.iter(), tools: [search], update: round, next: done }
        task write -> Field { prompt: "Write", update: { pending = output.calls }, next: done }
        task done { end }
    }
}

fn main() {}
