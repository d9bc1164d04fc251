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
        state: { private input name: String, copy: String = String::new() },
        model: ["local", "cloud"],
        private: ["local"],
        task read -> Payment { prompt: "Who is ${state.name}?", update: { copy = state.name.clone() }, next: again }
        task again -> Payment { model: "cloud", prompt: "Who is ${state.copy}?", no_history, next: look }
        task look -> Payment { model: "cloud", prompt: "Who was it?", next: done }
        task done { end }
    }
}

fn main() {}
