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

cot_process! {
    pub process Demo {
        state: { input mail: String, draft: Item, order: Order },
        task read -> Order {
            full_prompt: "Read ${state.mail}",
            found_in: { name: state.draft.article },
            update: order,
            next: write,
        }
        task write -> Item { full_prompt: "Write it", update: draft, next: done }
        task done { end }
    }
}

fn main() {}
