use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

async fn look(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String },
        history: none,
        tools: { look: look "Looks it up" { effect: none, content: [payee] } },
        task read -> Payment { prompt: "Which payment?\n${quoted(state.mail)}", tools: [look], next: done }
        task done { end }
    }
}

fn main() {}
