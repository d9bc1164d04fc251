use cot_core::{model::{Image, Turn}, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

pub fn examples() -> Vec<Example<Payment>> {
    Vec::new()
}

cot_process! {
    pub process Demo {
        state: {
            private input photo: Image,
            private input turns: Vec<Turn>,
            private input names: Vec<String>,
            private input known: String,
            input text: String,
        },
        model: ["local", "cloud"],
        private: ["local"],
        history: none,
        prompts: { photo: "${image(state.photo)}" },
        task with_medium -> Payment { prompt: "Who is it? ${image(state.photo)}", next: with_part }
        task with_part -> Payment { prompt: "Who is it? ${part(photo)}", next: with_turns }
        task with_turns -> Payment { turns: state.turns, prompt: "Who is it?", next: with_items }
        task with_items -> Payment {
            for_each: name in state.names,
            prompt: "Who is ${name}?",
            next: with_passages,
        }
        task with_passages -> Payment {
            prompt: "Who is in ${state.text}?",
            found_in: { payee: state.known },
            next: with_examples,
        }
        task with_examples -> Payment { examples: examples, prompt: "Who is in ${state.text}?", next: done }
        task done { end }
    }
}

fn main() {}
