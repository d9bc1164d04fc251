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
        state: { private input name: String },
        task read -> Payment { prompt: "Who is ${state.name}?", next: done }
        task done { end }
    }
}

fn main() {}
