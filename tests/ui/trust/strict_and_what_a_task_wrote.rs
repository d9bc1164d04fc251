use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, payee: String = String::new(), amount: u32 = 0 },
        intro: "The payee is ${quoted(state.payee)}",
        trust: strict,
        history: none,
        task read -> Payment {
            prompt: "Which payment?\n${quoted(state.mail)}",
            update: { payee = output.payee.clone(), amount = output.amount },
            next: answer,
        }
        task answer -> Payment { prompt: "${state.amount} for ${state.payee}?", next: done }
        task done { end }
    }
}

fn main() {}
