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
        state: {
            untrusted input mail: String,
            is_due: bool = false,
            seen: std::collections::BTreeMap<String, bool> = std::collections::BTreeMap::new(),
        },
        trust: strict,
        history: none,
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            update: { is_due = true if output.amount > 0, seen[output.payee.clone()] = true },
            next: gate,
        }
        task gate { next: { pay if state.is_due, book } }
        task pay { run: pay, content: [is_due, seen], next: done }
        task book { run: pay, content: [is_due], next: done }
        task done { end }
    }
}

fn main() {}
