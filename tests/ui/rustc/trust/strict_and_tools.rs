use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub enum Account {
    Rent,
    Power,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Transfer {
    pub from: Account,
    pub to: Account,
    pub subject: String,
}

async fn pay(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}

async fn transfer(_: &Transfer) -> Result<u32, std::io::Error> {
    Ok(1)
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String },
        trust: strict,
        history: none,
        tools: {
            pay: pay "Pays",
            transfer: transfer "Transfers" { content: [subject] },
            move_all: transfer "Moves everything",
            asked: pay "Pays" { approve: person },
        },
        task read -> Payment {
            prompt: "Do what it asks for:\n${quoted(state.mail)}",
            tools: [pay, transfer, move_all, asked],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
