use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

cot_process! {
    pub process Marked {
        state: { input known: String, private input text: String },
        model: "local",
        private: ["local"],
        history: none,
        task read -> Payment { prompt: "Which payment of ${state.known}? ${state.text}", next: done }
        task done { end }
    }
}

cot_process! {
    pub process Unmarked {
        state: { input known: String, input text: String },
        model: "local",
        history: none,
        task read -> Payment { prompt: "Which payment of ${state.known}? ${state.text}", next: done }
        task done { end }
    }
}

cot_process! {
    pub process Demo {
        state: { private input name: String, input known: String },
        history: none,
        task right { process: Marked with MarkedState::new(state.known.clone(), state.name.clone()), next: wrong }
        task wrong { process: Unmarked with UnmarkedState::new(state.known.clone(), state.name.clone()), next: done }
        task done { end }
    }
}

fn main() {}
