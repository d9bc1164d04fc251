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
        state: { private input name: String, untrusted input text: String },
        history: none,
        task first { process: Other with OtherState::new(state.text.clone()), next: second }
        task second { process: Other with made_of(&state.name), next: third }
        task third { process: Other with made_of(&(state.name.clone() + &state.text)), trusts: "it only counts words", next: done }
        task done { end }
    }
}

fn main() {}
