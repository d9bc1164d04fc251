use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: Payee,
    pub cents: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payee {
    pub name: String,
    pub iban: String,
}

async fn pay(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Amount {
    pub cents: u32,
}

async fn save(_: &Amount) -> Result<u32, std::io::Error> {
    Ok(1)
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, input request: String },
        trust: strict,
        history: none,
        tools: {
            right: save "Saves what the user says" { found_in: { cents: state.request } },
            foreign: save "Saves what the mail says" { found_in: { cents: state.mail } },
            partly: pay "Pays" { found_in: { payee.name: state.request, cents: state.request } },
        },
        task read -> Amount {
            prompt: "${state.request}\n${quoted(state.mail)}",
            tools: [right, foreign, partly],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
