#![deny(deprecated)]

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

async fn book(_: &DemoState) -> Result<(), std::io::Error> {
    Ok(())
}

pub struct App {
    pub files: std::sync::Arc<dyn cot_core::ToolSource>,
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, payee: String = String::new() },
        context: App,
        tools: {
            pay: pay "Pays",
            transfer: transfer "Transfers" { content: [subject] },
            files: source app.files { only: [read_file] },
        },
        task read -> Payment {
            prompt: "Do what it asks for:\n${quoted(state.mail)}",
            tools: [pay, transfer, files],
            update: { payee = output.payee },
            next: ask,
        }
        task ask -> Payment { prompt: "Who is ${state.payee}?", no_history, next: book }
        task book { run: book, next: done }
        task done { end }
    }
}

fn main() {}
