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

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String },
        trust: strict,
        history: none,
        tools: { post: search "Posts a text" },
        task read {
            prompt: "What does it ask for?\n${quoted(state.mail)}",
            transitions: { act: "To post", call: "To post at once", done: "Nothing" },
        }
        task act -> Payment { prompt: "Post what is due", tools: [post], next: done }
        task call -> ToolRound { calls: [ToolCall::new("post", Query { words: "due".into() })], tools: [post], next: done }
        task done { end }
    }
}

fn main() {}
