#![deny(deprecated)]

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

cot_process! {
    pub process Other {
        state: { input text: String },
        history: none,
        task read -> Payment { prompt: "Which payment?\n${state.text}", next: done }
        task done { end }
    }
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String },
        history: none,
        task pass { process: Other with OtherState::new(state.mail.clone()), next: made }
        task made { process: Other with made_of(&state.mail), next: done }
        task done { end }
    }
}

fn made_of(text: &str) -> OtherState {
    OtherState::new(text.to_owned())
}

fn main() {}
