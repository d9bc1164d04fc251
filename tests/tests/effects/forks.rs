//! Forks of a run that has begun a call.

use std::{future, time::SystemTime};

use cot_core::{
    FunctionError,
    prelude::*,
    store::{Fork, MemoryStore},
};
use serde::{Deserialize, Serialize};

use super::{Bank, until_waiting};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Order {
    receipt: String,
}

async fn pay(_: &Order, cx: &Cx<'_, Shop>) -> Result<String, FunctionError> {
    let is_first = cx.app().calls() == 0;
    cx.app().receive(cx.call_key());
    if is_first { future::pending().await } else { Ok("paid".to_owned()) }
}

cot_process! {
    process Shop {
        state: Order,
        context: Bank,

        task pay -> String {
            run: pay,
            effect: once,
            update: receipt,
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { end }
        task done { end }
    }
}

async fn forked(change: impl FnOnce(Fork) -> Fork) -> (u32, ShopOutcome) {
    let (store, bank) = (MemoryStore::default(), Bank::default());
    let runner = Shop::runner(bank.clone()).store(store.clone());
    let mut run = runner.clone().run_id("order").start(Order::default()).unwrap();
    until_waiting(&mut run);
    drop(run);
    let fork = change(Fork::new("order".parse().unwrap()));
    fork.create(&store, &"again".parse().unwrap(), SystemTime::now()).await.unwrap();
    let run = runner.resume("again").unwrap().finish().report().await.unwrap();
    (bank.calls(), run.outcome)
}

#[tokio::test]
async fn a_fork_does_not_make_a_call_again_that_its_original_has_begun() {
    assert_eq!(forked(|fork| fork).await, (1, ShopOutcome::Unknown));
    assert_eq!(forked(Fork::repeat_calls).await, (2, ShopOutcome::Done));
}
