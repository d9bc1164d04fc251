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
        state: { untrusted input mail: String, input names: String, is_due: bool = false, payee: String = String::new() },
        trust: strict,
        history: none,
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            found_in: { payee: state.names },
            update: { payee = output.payee.clone() if output.amount > 0 },
            next: pay,
        }
        task pay { run: pay, next: done }
        task done { end }
    }
}

fn main() {}
