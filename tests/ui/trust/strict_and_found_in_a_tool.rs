use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Query {
    pub words: String,
}

async fn search(query: &Query) -> Result<String, std::io::Error> {
    Ok(format!("nothing about {}", query.words))
}

async fn pay(_: &DemoState) -> Result<(), std::io::Error> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, payee: String = String::new() },
        trust: strict,
        history: none,
        tools: { search: search "Searches the catalogue" { effect: none } },
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            tools: [search],
            found_in: { payee: search },
            update: { payee = output.payee.clone() },
            next: pay,
        }
        task pay { run: pay, next: done }
        task done { end }
    }
}

fn main() {}
