use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

async fn pay(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String },
        trust: strict,
        history: none,
        tools: { pay: pay "Pays" },
        task read {
            prompt: "What does it ask for?\n${quoted(state.mail)}",
            transitions: { act: "To pay", done: "Nothing" },
        }
        task act -> Payment { prompt: "Pay what is due", tools: [pay], next: done }
        task done { end }
    }
}

fn main() {}
