use cot_core::{Private, Untrusted, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mailbox {
    pub mail: Untrusted<String>,
    pub mails: Vec<String>,
    pub name: Private<String>,
}

cot_process! {
    pub process Demo {
        state: Mailbox,
        task read -> Payment { prompt: "Read ${state.mail} of ${state.name} and ${quoted(state.mails)}", next: done }
        task done { end }
    }
}

fn main() {}
