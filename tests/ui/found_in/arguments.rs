use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Payment {
    pub payee: String,
    pub cents: u32,
}

cot_process! {
    pub process Demo {
        state: { input request: String },
        context: App,
        tools: {
            pay: pay "Pays" { found_in: { payee: request, cents: inputs.price } },
            order: pay "Orders" { found_in: { payee: state.request, cents: state.request, payee: state.request } },
            refund: pay "Refunds" { found_in: {} },
            lend: pay "Lends" { found_in: { payee: state.requst } },
            bank: source app.bank { only: [get], found_in: { payee: state.request } },
        },
        task read -> Payment {
            prompt: "Do it: ${state.request}",
            tools: [pay, order, refund, lend, bank],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
