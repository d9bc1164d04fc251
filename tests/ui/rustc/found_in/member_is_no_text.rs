use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Order {
    pub name: String,
    pub is_urgent: bool,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Item {
    pub article: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub mail: String,
    pub count: u32,
    pub orders: Vec<Order>,
}

cot_process! {
    pub process Demo {
        state: State,
        task read -> Order {
            full_prompt: "Read it",
            found_in: { is_urgent: state.mail, items: state.mail },
            update: orders[],
            next: done,
        }
        task done { end }
    }
}

fn main() {}
