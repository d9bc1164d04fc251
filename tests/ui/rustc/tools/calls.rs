use cot_core::{
    model::{ToolCall, ToolRound},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Search {
    pub text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub calls: Vec<ToolCall>,
    pub one: Option<String>,
    pub round: ToolRound,
}

cot_process! {
    pub process Demo {
        state: State,
        tools: { search: search "Searches" },
        task texts -> ToolRound { calls: &state.one, tools: [search], next: number }
        task number -> ToolRound { calls: state.calls.len(), tools: [search], next: other }
        task other -> Search { calls: state.calls, tools: [search], next: names }
        task names -> ToolRound { calls: state.one.iter(), tools: [search], next: done }
        task done { end }
    }
}

async fn search(search: &Search) -> Result<String, std::fmt::Error> {
    Ok(search.text.clone())
}

fn main() {}
