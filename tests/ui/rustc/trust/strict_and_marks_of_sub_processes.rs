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
        state: { input known: String, untrusted input text: String },
        model: "local",
        trust: strict,
        history: none,
        task read -> Payment { prompt: "Which payment of ${state.known}?\n${quoted(state.text)}", next: done }
        task done { end }
    }
}

cot_process! {
    pub process Warning {
        state: { input known: String, untrusted input text: String },
        model: "local",
        history: none,
        task read -> Payment { prompt: "Which payment of ${state.known}?\n${quoted(state.text)}", next: done }
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
        state: { untrusted input mail: String, input known: String },
        trust: strict,
        history: none,
        task right { process: Marked with MarkedState::new(state.known.clone(), state.mail.clone()), next: swapped }
        task swapped { process: Marked with MarkedState::new(state.mail.clone(), state.known.clone()), next: warns }
        task warns { process: Warning with WarningState::new(state.known.clone(), state.mail.clone()), next: wrong }
        task wrong { process: Unmarked with UnmarkedState::new(state.known.clone(), state.mail.clone()), next: excepted }
        task excepted {
            process: Unmarked with UnmarkedState::new(state.known.clone(), state.mail.clone()),
            trusts: "it only counts words",
            next: done,
        }
        task done { end }
    }
}

fn main() {}
