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
        state: { untrusted input mail: String },
        trust: strict,
        task read -> Payment { prompt: "Which payment?\n${quoted(state.mail)}", next: answer }
        task answer -> Payment { prompt: "And which one before?", next: done }
        task done { end }
    }
}

fn main() {}
