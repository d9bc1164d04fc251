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
        state: { untrusted input mail: String, untrusted input pages: Vec<String>, payment: Option<Payment> = None },
        history: none,
        prompts: { page: "The page:\n${list(&state.pages)}" },
        task read -> Payment {
            prompt: "Read this:\n${state.mail}\n${part(page)}",
            update: { payment = Some(output) },
            next: choose,
        }
        task choose {
            prompt: "${json(&state.pages)}",
            transitions: { done: "The mail says ${state.mail}", read },
        }
        task done { end }
    }
}

fn main() {}
