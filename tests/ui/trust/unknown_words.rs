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
        state: { untrusted untrusted input mail: String },
        trust: high,
        history: { untrusted: hide },
        task read -> Payment { prompt: "Which payment?\n${quoted(state.mail)}", clears: mail, next: done }
        task done { end }
    }
}

fn main() {}
