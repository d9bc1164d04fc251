use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

fn is_right(_: &Payment) -> Result<(), cot_core::Issues> {
    Ok(())
}

async fn look(_: &DemoState) -> Result<(), std::io::Error> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, input name: String },
        trust: warn,
        history: none,
        task read -> Payment {
            prompt: "Which payment?\n${quoted(state.mail)}",
            clears: untrusted,
            trusts: "it is only a name",
            next: ask,
        }
        task ask -> Payment { prompt: "Who is ${state.name}?", check: is_right, clears: untrusted, next: tell }
        task tell -> Payment { prompt: "Who is ${state.name}?", check: is_right, clears: private, next: look }
        task look { run: look, effect: none, content: [name], next: pay }
        task pay { run: look, content: [nmae], next: done }
        task done { end }
    }
}

fn main() {}
