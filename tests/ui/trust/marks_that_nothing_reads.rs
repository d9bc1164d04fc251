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
        state: { untrusted mail: String = String::new(), private key: u32 = 0, payment: Option<Payment> = None },
        task read -> Payment { prompt: "Which payment?", update: { mail = output.payee, key = output.amount }, next: done }
        task done { end }
    }
}

fn main() {}
