//! Functions that are called once for each item.

use cot_core::{ItemError, prelude::*};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Orders {
    orders: Vec<u32>,
    receipts: Vec<Result<u32, ItemError>>,
}

async fn pay(_: &Orders, order: &u32) -> Result<u32, std::fmt::Error> {
    Ok(*order)
}

cot_process! {
    process Pay {
        state: Orders,

        task pay -> u32 {
            for_each: order in state.orders,
            run: pay,
            effect: once,
            collect: ok,
            update: receipts,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn the_runner_announces_and_makes_each_call() {
    let orders = Orders { orders: (0..50).collect(), ..Orders::default() };
    let run = Pay::runner().run(orders).await.unwrap();
    assert_eq!(run.state.receipts, (0..50).map(Ok).collect::<Vec<_>>());
}
