use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

async fn pay(_: &DemoState) -> Result<(), std::io::Error> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, history: cot_core::History = cot_core::History::new() },
        trust: strict,
        history: { state_max_items: 20, untrusted: omit },
        task read -> Payment { prompt: "Which payment does it ask for?\n${quoted(state.mail)}", next: answer }
        task answer -> Payment { prompt: "Which one before?\n${json(&state.history)}", next: pay }
        task pay { run: pay, next: done }
        task done { end }
    }
}

fn main() {}
