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
        state: { untrusted input mail: String },
        goal: "Do what ${quoted(state.mail)} asks for",
        intro: "${state.mail}",
        system: "You read mails.\n${part(mail)}",
        prompts: { mail: "${quoted(state.mail)}" },
        task read -> Payment { prompt: "Read this:\n${part(mail)}", next: done }
        task done { end }
    }
}

fn main() {}
