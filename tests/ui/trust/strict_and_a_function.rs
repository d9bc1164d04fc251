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
        state: { untrusted input mail: String, payment: Option<Payment> = None, note: String = String::new() },
        trust: strict,
        history: none,
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            update: { note = output.payee.clone(), payment = Some(output) },
            next: pay,
        }
        task pay { run: pay, content: [note], next: done }
        task done { end }
    }
}

fn main() {}
