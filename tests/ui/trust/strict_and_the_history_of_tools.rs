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

fn is_right(_: &Payment) -> Result<(), cot_core::Issues> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String },
        trust: strict,
        history: { tools: all },
        tools: { search: search "Searches the catalogue" { effect: none } },
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            tools: [search],
            check: is_right,
            clears: untrusted,
            next: answer,
        }
        task answer -> Payment { prompt: "And which one before?", next: done }
        task done { end }
    }
}

fn main() {}
