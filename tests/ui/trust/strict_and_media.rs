use cot_core::{model::{Document, Image, Turn}, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

cot_process! {
    pub process Demo {
        state: {
            untrusted input photo: Image,
            untrusted input letter: Document,
            untrusted input turns: Vec<Turn>,
            payee: String = String::new(),
            amount: u32 = 0,
            name: String = String::new(),
        },
        trust: strict,
        history: none,
        task see -> Payment { prompt: "Who? ${image(state.photo)}", update: { payee = output.payee }, next: pay }
        task pay { run: pay, next: read }
        task read -> Payment {
            prompt: "Who? ${document(state.letter)}",
            update: { amount = output.amount },
            next: book,
        }
        task book { run: pay, content: [payee], next: talk }
        task talk -> Payment {
            turns: state.turns,
            prompt: "Who?",
            update: { name = output.payee },
            next: note,
        }
        task note { run: pay, content: [payee, amount], next: done }
        task done { end }
    }
}

fn main() {}
