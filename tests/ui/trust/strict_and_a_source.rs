use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

pub struct App {
    pub files: std::sync::Arc<dyn cot_core::ToolSource>,
}

cot_process! {
    pub process Demo {
        state: { input question: String },
        context: App,
        trust: strict,
        history: none,
        tools: { files: source app.files { only: all } },
        task answer -> Payment { prompt: "Answer:\n${state.question}", tools: [files], next: done }
        task done { end }
    }
}

fn main() {}
