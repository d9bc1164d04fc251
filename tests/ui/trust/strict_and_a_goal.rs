use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub amount: u32,
}

pub fn goal_of(scope: &Scope<'_, DemoState>) -> String {
    scope.state.mail.clone()
}

async fn pay(_: &DemoState) -> Result<(), std::io::Error> {
    Ok(())
}

async fn act(_: &Payment) -> Result<(), std::io::Error> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: { untrusted input mail: String, payee: String = String::new() },
        goal: goal_of,
        trust: strict,
        history: none,
        tools: { act: act "Pays" { found_in: { payee: goal, amount: goal } } },
        task read -> Payment { prompt: "Which payment?", update: { payee = output.payee }, next: pay }
        task pay { run: pay, next: named }
        task named -> Payment { full_prompt: "Which payment? ${goal}", next: call }
        task call -> Payment { prompt: "Pay", tools: [act], next: done }
        task done { end }
    }
}

fn main() {}
