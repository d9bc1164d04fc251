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
        state: { untrusted input mail: String, payee: String = String::new() },
        trust: strict,
        history: none,
        task read -> Payment {
            prompt: "Whom does it name?\n${quoted(state.mail)}",
            update: { payee = output.payee },
            next: { greet if state.payee.is_empty(), done },
        }
        task greet -> Payment { prompt: "Greet", update: { payee = String::new() }, next: pay }
        task pay { run: pay, next: done }
        task done { end }
    }
}

fn main() {}
