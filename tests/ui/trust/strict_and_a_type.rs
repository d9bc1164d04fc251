use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mailbox {
    pub mail: String,
}

cot_process! {
    pub process Demo {
        state: Mailbox,
        trust: strict,
        task read -> Payment { prompt: "Which payment?\n${quoted(&state.mail)}", next: done }
        task done { end }
    }
}

fn main() {}
