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
        state: { private input name: String, input text: String, untrusted input mail: String },
        context: App,
        model: "local",
        private: ["local"],
        history: none,
        tools: {
            web: source app.web { only: [get] },
            asked: source app.web { only: [put], approve: person },
        },
        task first -> Payment { prompt: "Look ${state.name} up", tools: [web], next: second }
        task second -> Payment { prompt: "Look ${state.name} up", tools: [asked], next: third }
        task third -> Payment { prompt: "Look ${state.text} up", tools: [web], next: fourth }
        task fourth -> Payment {
            prompt: "Look ${state.name} up, as asked:\n${quoted(state.mail)}",
            tools: [web],
            trusts: "the server writes nothing",
            next: done,
        }
        task done { end }
    }
}

fn main() {}
