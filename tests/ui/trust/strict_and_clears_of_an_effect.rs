use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

async fn pay(_: &DemoState) -> Result<Payment, std::io::Error> {
    Err(std::io::Error::other("closed"))
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, payee: String = String::new() },
        trust: strict,
        history: none,
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            update: { payee = output.payee },
            next: pay,
        }
        task pay -> Payment { run: pay, effect: once, clears: untrusted, on: { interrupted => done }, next: done }
        task done { end }
    }
}

fn main() {}
