use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub is_urgent: bool,
}

async fn pay(_: &Payment) -> Result<u32, std::io::Error> {
    Ok(1)
}

cot_process! {
    pub process Demo {
        state: { input request: String, input count: u32 },
        tools: {
            pay: pay "Pays" { found_in: { is_urgent: state.request, payer: state.request } },
            order: pay "Orders" { found_in: { payee: state.count } },
        },
        task read -> Payment {
            prompt: "Do it: ${state.request} ${state.count}",
            tools: [pay, order],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
