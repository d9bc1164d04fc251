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
        state: { untrusted input mail: String, input orders: Vec<String>, payee: String = String::new() },
        trust: strict,
        history: none,
        task pass { process: Other with made_of(&state.mail), next: build }
        task build { process: Other with Letter::new(state.mail.clone()), next: read }
        task read -> Payment {
            prompt: "Which payment does it ask for?\n${quoted(state.mail)}",
            update: { payee = output.payee.clone() },
            next: { once if output.amount > 0, each },
        }
        task once { process: Other with OtherState::new("the rent".into()), next: done }
        task each { for_each: order in state.orders, process: Other with made_of(&(order.clone() + &state.payee)), next: excepted }
        task excepted {
            process: Other with made_of(&state.payee),
            trusts: "its field is marked",
            next: done,
        }
        task done { end }
    }
}

fn main() {}
