use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

async fn pay(_: &DemoState, _: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}

cot_process! {
    pub process Demo {
        state: { untrusted input mails: Vec<String>, payments: Vec<Payment> = vec![] },
        trust: strict,
        history: none,
        task read -> Payment {
            for_each: mail in state.mails,
            prompt: "Which payment does it ask for?\n${mail}",
            update: payments,
            next: pay,
        }
        task pay -> u32 { for_each: payment in state.payments, run: pay, content: [payments], next: done }
        task done { end }
    }
}

fn main() {}
