use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    article: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Inbox {
    orders: Vec<Order>,
}

cot_process! {
    process ReadOrders {
        state: Inbox,
        default_return: look,

        task look {
            prompt: "Found so far: ${json(stat.orders)}",
            transitions: { read_ordr, done },
        }
        task read_order -> Order { update: ordres[] }
        task done { end }
    }
}

fn main() {}
